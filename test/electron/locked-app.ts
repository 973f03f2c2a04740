/**
 * An app that runs once at a time, by a lock like Electron's: one that finds another running hands over to it and ends
 * with status 0. Arguments: the lock's socket, and the file that it creates once it runs.
 */
import { writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';

const [lock = '', marker = ''] = process.argv.slice(2);
const connection = createConnection(lock);
connection.once('connect', () => process.exit(0));
connection.once('error', () => createServer().listen(lock, () => writeFileSync(marker, String(process.pid))));
