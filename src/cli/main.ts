/** Starts the command line. Compiled code is kept between starts: quicker, and less memory than compiling anew. */
import { enableCompileCache } from 'node:module';

// What the till writes is for its own user only.
process.umask(0o077);
enableCompileCache();
const { main } = await import('./program.ts');
await main();
