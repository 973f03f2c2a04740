// Loaded before the program's first file (`--import`): caches compiled code, and thereby the removal of TypeScript's
// types. With a complete cache, the compiler that removes types, 15 MB of a process, is never loaded. This file
// is plain JavaScript, because the compiler would otherwise be loaded for it.
import { enableCompileCache } from 'node:module';

enableCompileCache();
