/** Writes the udev rules file anew from the drivers’ marks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drivers } from '../../drivers/registry.ts';
import { udevRules } from './udev-rules.ts';

writeFileSync(join(import.meta.dirname, '70-tillgate-terminals.rules'), udevRules(drivers));
