/** Regenerates the udev rules file from the drivers’ USB ids. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drivers } from '../../drivers/registry.ts';
import { udevRules } from './udev-rules.ts';

writeFileSync(join(import.meta.dirname, '70-tillgate-terminals.rules'), udevRules(drivers));
