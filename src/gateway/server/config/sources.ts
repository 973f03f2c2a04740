/** The sources of settings: a file, the environment, the command line. Each is read completely, with all its errors. */
import { errorText } from '../../../base/fault.ts';
import { readTextFile } from '../../../base/files.ts';
import { type ConfigProblem, checked, unknownName } from './problems.ts';
import { type SettingName, type Settings, settingShapes } from './shape.ts';

type Source = { settings: Settings; problems: readonly ConfigProblem[] };

export type Texts = Readonly<Record<string, string | undefined>>;

const FILE_MAX = 4 * 1024 * 1024;

/** A JSON object of settings. A file that cannot be read is reported with the other errors. */
export const readConfigFile = (path: string): Source => {
  try {
    const text = readTextFile(path);
    if (text.length > FILE_MAX) return brokenSource(path, 'is too long');
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      return brokenSource(path, 'must be a JSON object');
    return createSource(Object.entries(json).map(([name, value]) => ({ name, value, where: `${path}: ${name}` })));
  } catch (error) {
    return brokenSource(path, readErrorReason(error));
  }
};

const brokenSource = (where: string, reason: string): Source => ({ settings: {}, problems: [{ where, why: reason }] });

const readErrorReason = (error: unknown): string => {
  // The parser's message quotes the text around the place, which may be a token.
  if (error instanceof SyntaxError) {
    return ['is not JSON', /at position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0] ?? '']
      .join(' ')
      .trim();
  }
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    ? 'there is no such file'
    : errorText(error);
};

type ConfigValue = { name: string; value: unknown; where: string };

const createSource = (inputs: readonly ConfigValue[]): Source => {
  const settings: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const { name, value, where } of inputs) {
    if (!isSetting(name)) {
      problems.push({ where, why: unknownName(name, Object.keys(settingShapes)) });
      continue;
    }
    const result = checked<unknown>(settingShapes[name], value, where);
    if ('value' in result) settings[name] = result.value;
    else problems.push(...result);
  }
  return { settings, problems };
};

const isSetting = (name: string): name is SettingName => Object.hasOwn(settingShapes, name);

/** Converts a text to a setting; a text that cannot be converted is passed on, for the shape to refuse by name. */
const readers: Partial<Record<SettingName, (text: string) => unknown>> = {
  port: parseNumber,
  adminPort: parseNumber,
  maxConnections: parseNumber,
  patienceSeconds: parseNumber,
  stopSeconds: parseNumber,
  lenient: parseFlag,
  allowPrivateUrls: parseFlag,
  insecure: parseFlag,
  trustedProxy: (text) => text.trim().split(/[\s,]+/),
  throttle: (text) => {
    const [perSecond = '', burst] = text.split(':');
    const rate = parseNumber(perSecond);
    const ownBurst = typeof rate === 'number' ? Math.max(1, Math.ceil(rate)) : rate;
    return { perSecond: rate, burst: burst === undefined ? ownBurst : parseNumber(burst) };
  },
  merchants: parseJson,
  channels: (text) => (text.trim().startsWith('[') ? parseJson(text) : text.trim().split(/\s+/).map(parseChannel)),
};

function parseFlag(text: string): unknown {
  return ({ true: true, '1': true, false: false, '0': false } as Readonly<Record<string, boolean>>)[text] ?? text;
}

function parseNumber(text: string): unknown {
  return /^\d{1,9}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `ENTITYID:TOKEN`; a token may contain colons. */
const parseChannel = (text: string): unknown => {
  const colon = text.indexOf(':');
  return colon < 0 ? { entityId: text } : { entityId: text.slice(0, colon), token: text.slice(colon + 1) };
};

const parseText = (name: SettingName, text: string): unknown => readers[name]?.(text) ?? text;

const variables = new Map<string, SettingName>(
  (Object.keys(settingShapes) as SettingName[]).map((name) => [
    `TILLGATE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`,
    name,
  ]),
);
/** Names the file, so it is no setting within a file. */
export const CONFIG_VARIABLE = 'TILLGATE_CONFIG';

/** TILLGATE_PORT and so on. A variable with almost one of our names is an error; others are ignored. */
export const readEnvironment = (environment: Texts): Source => {
  const ownVariables = Object.entries(environment).filter(
    ([name, text]) => name.startsWith('TILLGATE_') && text !== undefined,
  );
  const inputs = ownVariables.flatMap(([variable, text = '']) => {
    const name = variables.get(variable);
    return name === undefined ? [] : [{ name, value: parseText(name, text), where: variable }];
  });
  const names = [...variables.keys(), CONFIG_VARIABLE];
  const unknownVariables = ownVariables.flatMap(([variable]) => {
    const reason = unknownName(variable, names);
    return !names.includes(variable) && reason.includes('mean') ? [{ where: variable, why: reason }] : [];
  });
  const { settings, problems } = createSource(inputs);
  return { settings, problems: [...problems, ...unknownVariables] };
};

const settingOfFlag = (name: SettingName, flag: string | boolean | readonly string[]): unknown => {
  if (typeof flag === 'string') return parseText(name, flag);
  return name === 'channels' && typeof flag !== 'boolean' ? flag.map(parseChannel) : flag;
};

const flagNameOf = (name: SettingName): string =>
  name === 'channels' ? '--channel' : `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;

/** The command line's flags by the settings' names. Each text of a repeated flag is one item of a list. */
export const readFlags = (flags: Readonly<Record<string, string | boolean | readonly string[]>>): Source =>
  createSource(
    Object.entries(flags).flatMap(([name, flag]) => {
      if (!isSetting(name)) return [];
      return [{ name, value: settingOfFlag(name, flag), where: flagNameOf(name) }];
    }),
  );
