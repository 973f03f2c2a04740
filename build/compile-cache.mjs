// Loaded before the program's first file (`--import`): keeps what was compiled, and with it what TypeScript's types were
// taken out of. Where all of it is kept the compiler that takes them out, 15 MB of a process, is never loaded. Plain
// JavaScript, since it would be loaded for this file otherwise.
import { enableCompileCache } from 'node:module';

enableCompileCache();
