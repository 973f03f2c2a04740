/** `gateway webhook verify`: decrypts a notification as a receiver does, and says what is wrong with it. */
import type { Command } from 'commander';
import { printable } from '../../base/mask.ts';
import { KEY_HEADER, TAG_HEADER, VECTOR_HEADER, verifyNotification } from '../../gateway/webhooks/encryption.ts';
import { malformed, textOfFile } from '../arguments.ts';
import { FAULT, print, tell } from '../terms.ts';

type Flags = {
  secret?: string;
  secretFile?: string;
  iv?: string;
  tag?: string;
  keyId?: string;
  headers?: string;
  body: string;
  json?: boolean;
};

export const addVerify = (webhook: Command): void => {
  webhook
    .command('verify')
    .description('decrypt a received notification, or say what is wrong with it; needs no gateway')
    .option('--secret <hex>', '64 hex digits; other users can see options, so --secret-file is better')
    .option('--secret-file <file>', 'a file with the secret')
    .option('--iv <hex>', `the header ${VECTOR_HEADER}`)
    .option('--tag <hex>', `the header ${TAG_HEADER}`)
    .option('--key-id <hex>', `the header ${KEY_HEADER}, if it is known`)
    .option('--headers <file>', 'a file with the received headers, one a line, instead of --iv, --tag and --key-id')
    .option('--body <file>', 'a file with the received body; - reads stdin', '-')
    .option('--json', 'print the result as JSON')
    .action((_: Flags, command: Command) => verify(command.opts<Flags>()));
};

const verify = (flags: Flags): void => {
  const headers = flags.headers === undefined ? new Map<string, string>() : headersIn(textOf(flags.headers));
  const header = (name: string) => headers.get(name.toLowerCase());
  const secret = (flags.secret ?? (flags.secretFile === undefined ? '' : textOf(flags.secretFile))).trim();
  const keyId = flags.keyId ?? header(KEY_HEADER);
  const verdict = verifyNotification({
    secret,
    vector: (flags.iv ?? header(VECTOR_HEADER) ?? '').trim(),
    tag: (flags.tag ?? header(TAG_HEADER) ?? '').trim(),
    body: textOf(flags.body),
    keyId,
  });
  if (verdict.kind === 'wrong') process.exitCode = FAULT;
  if (flags.json === true) print(JSON.stringify(verdict, null, 2));
  else if (verdict.kind === 'good') print(JSON.stringify(verdict.notification, null, 2));
  else for (const each of verdict.problems) tell(printable(each, 400));
};

/** Headers as `Name: value`, one a line. Other lines, such as a request line, are ignored. */
const headersIn = (text: string): Map<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([A-Za-z0-9-]+):\s*(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()] as const];
    }),
  );

const textOf = (path: string): string =>
  textOfFile(path === '-' ? 0 : path, (why) => malformed(`${path} cannot be read: ${printable(why)}`));
