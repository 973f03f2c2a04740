// Starts the program for `npm start`, `npm run gateway` and `npm run till`, with the V8 flags that suit the command. A
// till shares a small machine with the point-of-sale software, so low memory comes before speed; for the gateway, speed
// comes first. Plain JavaScript, so that starting this file loads nothing that reads TypeScript.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gatewayFlags, tillFlags } from './v8-flags.mjs';

const fileOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const sources = ['--import', new URL('compile-cache.mjs', import.meta.url).href, fileOf('src/cli/main.ts')];
const made = fileOf('dist/gateway/main.js');
// `npm` rebuilds the bundle before both commands if a source has changed. Without a bundler, nothing is rebuilt.
const program = existsSync(made) ? [made] : sources;

const ways = {
  start: [...tillFlags, ...program, 'start'],
  till: [...tillFlags, ...sources, 'till'],
  gateway: [...gatewayFlags, ...program, 'gateway'],
};

const [way, ...given] = process.argv.slice(2);
const args = [...ways[way], ...given];
// `npm run gateway` passes its flags itself: another process would take 60 ms of the 400 in which a gateway starts
// listening.
const hasFlags = way === 'gateway' && gatewayFlags.every((flag) => process.execArgv.includes(flag));
// Replaces this process with the program if the system can: one process, one id, one set of signals.
if (hasFlags) await asItself();
else if (process.platform === 'win32' || process.execve === undefined) await besideIt();
else process.execve(process.execPath, [process.execPath, ...args], process.env);

async function asItself() {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  await import(new URL(existsSync(made) ? '../dist/gateway/main.js' : '../src/cli/main.ts', import.meta.url).href);
}

/** Control-C reaches both processes. The program ends first, and this process exits with the same code. */
async function besideIt() {
  const { spawn } = await import('node:child_process');
  const { constants } = await import('node:os');
  process.on('SIGINT', () => {});
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
}
