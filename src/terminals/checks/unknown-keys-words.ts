/** Keys in the till's own files that this version does not know, as text: for the start and for a diagnosis. */
import type { Check } from '../../api/contract/diagnosis.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { type UnknownKey, unknownIn } from '../../folder/unknown-keys.ts';
import { tellCheck } from '../../locales/messages/en/machine.ts';
import { checkOf } from './port-check.ts';

/** `file`: its name in the till's folder. */
export type UnknownInFile = UnknownKey & { readonly file: string };

/** Only the names of the keys, never the values. */
export const findUnknownKeys = (of: {
  config: unknown;
  secrets?: { unknown: readonly UnknownKey[] };
}): UnknownInFile[] => [
  ...unknownIn(of.config).map((one) => ({ ...one, file: 'till.json' })),
  ...(of.secrets?.unknown ?? []).map((one) => ({ ...one, file: 'till.secrets.json' })),
];

const tellUnknown = ({ file, path: key, what, nearest }: UnknownInFile): LocalizedMessage => {
  if (what === 'value') return tellCheck('unknownValue', { file, key });
  if (key.startsWith('offline.')) return tellCheck('unknownLimit', { file, key });
  return nearest === undefined
    ? tellCheck('unknownKey', { file, key })
    : tellCheck('unknownKeyNear', { file, key, nearest });
};

const cureOf = ({ path, nearest }: UnknownInFile): LocalizedMessage =>
  path.startsWith('offline.') && nearest !== undefined
    ? tellCheck('unknownLimitNear', { nearest })
    : tellCheck('unknownCure');

export const unknownChecks = (all: readonly UnknownInFile[]): Check[] =>
  all.map((one) => checkOf('Configuration', 'attention', { says: tellUnknown(one), cure: cureOf(one) }));
