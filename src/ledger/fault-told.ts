/** The fault whose words a text is: what the till wrote down in English of its terminal is told in any language. */
import { type FaultCode, faults } from '../base/faults.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';

type Shape = { code: FaultCode; shape: RegExp; names: readonly string[] };

const BLANK = /\{(\w+)\}/g;

const shapeOf = (code: FaultCode): Shape => {
  const { says } = faults[code];
  const fixed = says.split(BLANK).filter((_, at) => at % 2 === 0);
  const source = fixed.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)');
  return { code, shape: new RegExp(`^${source}$`), names: [...says.matchAll(BLANK)].map(([, name = '']) => name) };
};

/** Of the line to a terminal and of the terminal itself. */
const shapes = (Object.keys(faults) as FaultCode[])
  .filter((code) => /^(link|terminal)\./.test(code) && code !== 'terminal.warned')
  .map(shapeOf);

/** Undefined for words that are no such fault's. */
export const faultToldOf = (text: string): LocalizedMessage | undefined => {
  for (const { code, shape, names } of shapes) {
    const found = shape.exec(text);
    if (found === null) continue;
    const facts = Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? '']));
    return { code: `fault.${code}`, says: text, facts };
  }
  return undefined;
};
