/** Starts the command line. Compiled code is cached between starts, which saves time and memory. */
import { enableCompileCache } from 'node:module';

// Files that the till creates are private to its user.
process.umask(0o077);
// A closed pipe or a full disk behind it must not end a sale: the output is lost, and nothing else.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
enableCompileCache();
const { hearWindow, isInWindow, runBeside } = await import('./window.ts');
const { platform, argv, stdout } = process;
if (isInWindow({ platform, isTty: stdout.isTTY, command: argv[2] })) process.exitCode = await runBeside(argv.slice(1));
else {
  hearWindow();
  const { main } = await import('./program.ts');
  await main();
}
