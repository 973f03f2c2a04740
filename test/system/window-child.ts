/** A till as it runs beside a window of Windows, on this system: this is the program that a closed window would end. */
import { runBeside } from '../../src/cli/window.ts';
import { program } from '../support/servers/program.ts';

process.exitCode = await runBeside([program, ...process.argv.slice(2)]);
