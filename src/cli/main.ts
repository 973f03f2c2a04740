/** Starts the command line. Compiled code is kept between starts: quicker, and less memory than compiling anew. */
import { enableCompileCache } from 'node:module';

// What the till writes is for its own user only.
process.umask(0o077);
// A reader that went away, or a full disk behind a pipe, must not end a sale: what is said to nobody is lost, no more.
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
