/** A simulated terminal's name is shown in the reader's language, a real one's unchanged. */

import { expect, test } from 'vitest';
import { load } from '../../src/locales/load.ts';
import { modelName } from '../../src/ui/locale/use-words.ts';

test.each([
  ['SIMULATED', 'Simuliertes Terminal'],
  ['SIMULATED M020', 'SIMULIERT M020'],
  ['M020', 'M020'],
  ['SIMULATEDM020', 'SIMULATEDM020'],
])('%s is %s in German', async (model, name) => {
  expect(modelName(model, (await load.de()).words.shared)).toBe(name);
});
