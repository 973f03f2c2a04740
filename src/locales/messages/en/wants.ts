/** What a field of a request or of till.json has to be. The English stands in src/base/field-wants.ts. */
import type { wantWords } from '../../../base/field-wants.ts';

export type WantIn = typeof wantWords;
