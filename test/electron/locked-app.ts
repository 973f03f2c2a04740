/**
 * An app of which one runs at a time, as Electron's lock has it: one that meets another gives its turn to it and ends
 * with status 0. Arguments: the lock's socket, and the file that it makes once it runs.
 */
import { writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';

const [lock = '', marker = ''] = process.argv.slice(2);
const other = createConnection(lock);
other.once('connect', () => process.exit(0));
other.once('error', () => createServer().listen(lock, () => writeFileSync(marker, String(process.pid))));
