/**
 * A till run beside a Windows console window, simulated on this system: this is the program that a closed window would
 * end.
 */
import { runBeside } from '../../src/cli/window.ts';
import { program } from '../support/servers/program.ts';

process.exitCode = await runBeside([program, ...process.argv.slice(2)]);
