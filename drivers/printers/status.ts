/**
 * What a printer says of itself when it is asked in real time: it answers also while it is busy or out of paper.
 *
 * Source: Epson, "ESC/POS Command Reference", DLE EOT and GS r.
 */

export type PrinterHealth = {
  /** `unknown`: it answered nothing that makes sense. Many printers cannot answer at all. */
  state: 'ready' | 'paperLow' | 'paperOut' | 'coverOpen' | 'error' | 'unknown';
  /** Of an error: what it is. */
  why?: string;
};

/** DLE EOT n: 1 the printer, 2 why it is offline, 3 its errors, 4 its paper. */
export const questions = [1, 2, 3, 4] as const;
export const question = (number: (typeof questions)[number]): Uint8Array => Uint8Array.of(0x10, 0x04, number);

/** GS r 1: answered once everything before it was printed. */
export const confirmation = Uint8Array.of(0x1d, 0x72, 1);

/** Some bits of every answer are fixed, so that nothing else is taken for one. */
export const isAnswer = (byte: number): boolean => (byte & 0x93) === 0x12;
export const isConfirmation = (byte: number): boolean => (byte & 0x90) === 0;

/** Health from the four answers, in order; an answer that did not come is undefined. */
export const healthOf = ([printer, offline, errors, paper]: readonly (number | undefined)[]): PrinterHealth => {
  if ([printer, offline, errors, paper].every((answer) => answer === undefined)) return { state: 'unknown' };
  const has = (answer: number | undefined, bits: number) => answer !== undefined && (answer & bits) !== 0;
  if (has(offline, 0x04)) return { state: 'coverOpen' };
  if (has(paper, 0x60) || has(offline, 0x20)) return { state: 'paperOut' };
  if (has(errors, 0x08)) return { state: 'error', why: 'the cutter is blocked' };
  if (has(errors, 0x20)) return { state: 'error', why: 'it cannot go on and must be switched off' };
  if (has(errors, 0x40)) return { state: 'error', why: 'its print head is too hot' };
  if (has(offline, 0x40)) return { state: 'error', why: 'it does not say which' };
  if (has(printer, 0x08)) return { state: 'error', why: 'it is offline' };
  return { state: has(paper, 0x0c) ? 'paperLow' : 'ready' };
};

/** Whether it can print now, as far as anybody knows. */
export const canPrint = ({ state }: PrinterHealth): boolean =>
  state === 'ready' || state === 'paperLow' || state === 'unknown';
