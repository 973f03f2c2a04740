/** What the end of a transaction step means, from its status, its result code and, where both say nothing, the card. */
import { cryptogramOf } from '../../card-facts.ts';
import { clearIn } from '../protocol/card-data.ts';
import { type Neo2Reply, resultCodeOf } from '../protocol/commands.ts';
import { type ResultMeaning, resultRow } from '../protocol/results.ts';
import { type StatusMeaning, statusRow } from '../protocol/status.ts';
import { findNeo2 } from '../protocol/tlv.ts';

export type StepMeaning =
  | ResultMeaning
  /** The tap was too short. */
  | 'tapAgain'
  /** The reader refused, or said nothing that anybody knows. */
  | Extract<StatusMeaning, 'refused' | 'keyless' | 'tampered'>;

export type CardReply = Neo2Reply<'activate' | 'authenticate' | 'finish' | 'manual' | 'manualUnderV3'>;

const byCryptogram = { ARQC: 'online', TC: 'approved', AAC: 'declined' } as const;

/** A card that gave an AAC has refused, whatever the reader's code says. */
export const meaningOf = ({ status, answer }: CardReply): StepMeaning => {
  const kind = answer === undefined ? undefined : cryptogramOf(clearIn(answer.tlvs))?.kind;
  const code = answer === undefined ? undefined : resultCodeOf(answer);
  const row = code === undefined ? undefined : resultRow(code);
  if (row !== undefined)
    return kind === 'AAC' && (row.means === 'approved' || row.means === 'online') ? 'declined' : row.means;
  const { means } = statusRow(status);
  if (means === 'online') return kind === 'AAC' ? 'declined' : 'online';
  if (means === 'timedOut' || means === 'cancelled' || means === 'keyless' || means === 'tampered') return means;
  if (means === 'ok' && kind !== undefined && code === undefined) return byCryptogram[kind];
  // Why a chip could not be read.
  if (answer !== undefined && findNeo2(answer.tlvs, 'DFEF61') !== undefined) return 'chipFailed';
  const failed = answer === undefined ? undefined : tapErrorOf(answer.tlvs);
  return failed === undefined ? 'refused' : (tapErrors[failed] ?? 'otherWay');
};

/**
 * Why a tap failed (IDG p31 to p34): 21 two cards, 24 and 30 too short. 2C ends what was cancelled (the vendor's logs).
 * With any other code the card is to be tried another way.
 */
const tapErrors: Readonly<Record<number, StepMeaning>> = {
  33: 'twoCards',
  36: 'tapAgain',
  44: 'cancelled',
  48: 'tapAgain',
};

/** First byte of FFEE1F, in newer firmware DFEE02 (the vendor's logs): what went wrong at a tap; zero is nothing. */
const tapErrorOf = (tlvs: Parameters<typeof findNeo2>[0]): number | undefined => {
  const code = (findNeo2(tlvs, 'FFEE1F') ?? findNeo2(tlvs, 'DFEE02'))?.value[0];
  return code === 0 ? undefined : code;
};
