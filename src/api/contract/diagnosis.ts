/** Diagnosis: terminals, their conversations, the connection to the gateway, and the support bundle. */
import * as z from 'zod';
import { address, deviceRow, dialects, probe } from './devices.ts';
import { localizedMessage, said } from './wire.ts';

const checkMessages = z.strictObject({
  says: localizedMessage,
  cure: localizedMessage.optional(),
  inOrder: z.array(localizedMessage).readonly().optional(),
});
export type CheckMessages = z.infer<typeof checkMessages>;

const checkVerdict = z.enum(['good', 'attention', 'bad']);
export type CheckVerdict = z.infer<typeof checkVerdict>;

export const check = z
  .strictObject({
    what: z.string(),
    verdict: z.enum([...checkVerdict.options, 'notAsked']),
    says: z.string().describe('A whole sentence.'),
    cure: z.string().optional().describe('What a person does about it.'),
    inOrder: z
      .array(z.string())
      .readonly()
      .optional()
      .describe('What to check, in this order, if the cause is unknown.'),
    told: checkMessages.optional().describe('The same, in the reader’s language.'),
  })
  .meta({ id: 'Check', description: 'One thing that was checked.' });
export type Check = z.infer<typeof check>;

const tracedMessage = z
  .strictObject({
    line: z.number().describe('The line in the recording, from 1; in a live conversation the number of the message.'),
    atMs: z.number().optional().describe('Milliseconds since the start of the recording.'),
    way: z.enum(['said', 'heard', 'lost']),
    hex: z.string().describe('Two characters a byte; `**` is a masked one.'),
    says: z
      .array(z.string())
      .readonly()
      .describe(
        'The driver’s interpretation: empty while a message is incomplete, several if more than one arrived at once.',
      ),
  })
  .describe('One message of a live conversation. Card data is masked.');
export type TracedMessage = z.infer<typeof tracedMessage>;

export const diagnosisNews = z
  .union([
    z.strictObject({ address: z.string().describe('Which terminal it is.') }),
    z.strictObject({ check }),
    z.strictObject({ echo: z.number(), of: z.number() }),
    z.strictObject({ message: tracedMessage }),
    z.strictObject({ stray: z.string() }),
  ])
  .meta({ id: 'DiagnosisNews' });
export type DiagnosisNews = z.infer<typeof diagnosisNews>;

export const diagnosisAnswer = z
  .strictObject({
    address: z.string(),
    verdict: z.enum(['good', 'odd', 'bad', 'notAsked']),
    says: z.string(),
    told: localizedMessage.optional(),
    checks: z.array(check).readonly(),
    device: deviceRow.optional(),
    loopback: z
      .strictObject({
        tookMs: z.array(z.number()),
        histogram: z.array(z.strictObject({ fromMs: z.number(), toMs: z.number().optional(), count: z.number() })),
        lost: z.number(),
        asked: z.number().optional().describe('The number of questions.'),
        why: z.string().optional().describe('Why the first unanswered question got no answer.'),
        minMs: z.number().optional(),
        medianMs: z.number().optional(),
        p95Ms: z.number().optional(),
        maxMs: z.number().optional(),
      })
      .optional()
      .describe('`toMs` is absent from the slowest range, which has no end.'),
    dialects,
    answersAt: z.string().optional().describe('The paired terminal was found here instead.'),
  })
  .meta({ id: 'DiagnosisAnswer' });
export type DiagnosisAnswer = z.infer<typeof diagnosisAnswer>;

export const traceNode = z
  .strictObject({
    text: z.string(),
    get below() {
      return z.array(traceNode).optional();
    },
  })
  .meta({ id: 'TraceNode', description: 'One line of a message’s meaning, and the lines below it.' });
export type TraceNode = z.infer<typeof traceNode>;

export const traceRow = z
  .strictObject({
    n: z.number(),
    at: z.number(),
    counter: z.string(),
    way: z.enum(['toTerminal', 'fromTerminal', 'lost']).describe('`lost`: the link was lost; there are no bytes then.'),
    hex: z.string().describe('Two characters a byte; `**` is a masked one.'),
    says: z.array(traceNode).describe('Its meaning, as a tree.'),
    masked: z.boolean(),
  })
  .meta({
    id: 'TraceRow',
    description: 'One message of a conversation with a terminal. Card data is masked, and marked as masked.',
  });
export type TraceRow = z.infer<typeof traceRow>;

export const lineCheck = z
  .strictObject({
    what: z.enum(['name', 'route', 'proxy', 'tls', 'answer', 'clock']),
    verdict: z.enum(['good', 'odd', 'bad', 'notAsked']),
    says: z.string(),
    ms: z.number().optional(),
    cure: z.string().optional().describe('What to do about it.'),
    told: z
      .strictObject({ says: localizedMessage, cure: localizedMessage.optional() })
      .optional()
      .describe('The same, in the reader’s language.'),
    each: z.array(z.number()).optional().describe('The time of each answer, if several were requested.'),
  })
  .meta({ id: 'LineCheck', description: 'One step of the connection to the gateway, and how long it took.' });
export type LineCheck = z.infer<typeof lineCheck>;

export const updatesAnswer = z.strictObject({
  version: z.string(),
  available: z.string().optional(),
  mayInstall: z.boolean(),
  why: said.optional(),
});
export type UpdatesAnswer = z.infer<typeof updatesAnswer>;

const suspect = z
  .strictObject({
    section: z.string(),
    kinds: z.array(z.string()).readonly(),
    lines: z.array(z.number()).readonly(),
  })
  .describe('What is suspicious in a section of the bundle; never the content itself.');
export type Suspect = z.infer<typeof suspect>;

export const bundleSection = z
  .strictObject({
    name: z.string(),
    lines: z.number(),
    suspects: z.array(z.string()),
    begins: z.array(z.string()),
    suspect: suspect.optional(),
  })
  .meta({
    id: 'BundleSection',
    description: 'A section with suspects is left out; for any other, `begins` are its first lines, for review.',
  });
export type BundleSection = z.infer<typeof bundleSection>;
export const bundlePreview = z.strictObject({ sections: z.array(bundleSection) });

// Requests.

export const diagnosisRequest = z.strictObject({
  address,
  probe,
  echoes: z.int().min(0).max(1000).default(20),
  live: z.boolean().optional().describe('Also report each message, including unsolicited ones.'),
});
export type DiagnosisRequest = z.infer<typeof diagnosisRequest>;
