/** All rules that look at one source file at a time, by name. */
import {
  calledOutside,
  columnsNamed,
  comments,
  constructs,
  csvFiles,
  literalText,
  renames,
  resultCodes,
  sleeps,
  tests,
  textFiles,
} from './bans.ts';
import { faultsThrown } from './fault-table.ts';
import { fieldWords } from './names.ts';
import { defaultExport, fileLength, fileName, functionLength, opening, parameters, width } from './shape.ts';
import type { Rule } from './source.ts';
import { ciphers, imports, packages } from './walls.ts';

export const rules: Readonly<Record<string, Rule>> = {
  imports,
  packages,
  ciphers,
  fileLength,
  functionLength,
  parameters,
  width,
  opening,
  fileName,
  fieldWords,
  defaultExport,
  calledOutside,
  constructs,
  comments,
  literalText,
  resultCodes,
  csvFiles,
  textFiles,
  renames,
  columnsNamed,
  tests,
  sleeps,
  faultsThrown,
};
