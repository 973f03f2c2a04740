/** What a terminal is called on a screen: a simulated one in the reader's language. */
import type { Words } from '../../words/tables.ts';

/** As simulated terminals call themselves, alone or before the model that they play. */
const SIMULATED = /^SIMULATED(?= |$)/;

/** `M020`; of a simulated one `Simuliertes Terminal` or `SIMULIERT M020`. */
export const modelName = (model: string, shared: Pick<Words['shared'], 'simulated' | 'simulatedTerminal'>): string =>
  model === 'SIMULATED' ? shared.simulatedTerminal : model.replace(SIMULATED, shared.simulated);
