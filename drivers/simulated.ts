/** The word by which a simulated terminal is told from a real one. It stands in the model that the device tells. */
import type { TerminalInfo } from './terminal.ts';

const WORD = 'SIMULATED';

/** Whether the terminal says that it is simulated: in its model, or in its serial number. */
export const isSimulated = ({ model, serial }: Pick<TerminalInfo, 'model' | 'serial'>): boolean =>
  `${model} ${serial}`.toUpperCase().includes(WORD);

/** The model with the word before it, which is never cut off: devices cut long names at their end. */
export const asSimulated = (model: string): string =>
  model.startsWith(WORD) ? model : [WORD, model].filter((part) => part !== '').join(' ');
