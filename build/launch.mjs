// `npm start`, `npm run gateway` and `npm run till`: the command line, with V8's flags for what it is going to do. A
// shop's till shares a small machine with the register's program, so it takes little memory before it is quick; the
// gateway is quick first. Plain JavaScript, so that nothing that reads TypeScript is loaded for this file.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gatewayFlags, tillFlags } from './v8-flags.mjs';

const fileOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const sources = ['--import', new URL('compile-cache.mjs', import.meta.url).href, fileOf('src/cli/main.ts')];
const made = fileOf('dist/gateway/main.js');
// Made anew before both by `npm` where a source has changed; where there is no bundler there is none.
const program = existsSync(made) ? [made] : sources;

const ways = {
  start: [...tillFlags, ...program, 'start'],
  till: [...tillFlags, ...sources, 'till'],
  gateway: [...gatewayFlags, ...program, 'gateway'],
};

const [way, ...given] = process.argv.slice(2);
const args = [...ways[way], ...given];
// `npm run gateway` gives its flags itself: a process more would take 60 ms of the 400 in which a gateway listens.
const hasFlags = way === 'gateway' && gatewayFlags.every((flag) => process.execArgv.includes(flag));
// The same process goes on as the program, where the system can do that: one process, one number, one set of signals.
if (hasFlags) await asItself();
else if (process.platform === 'win32' || process.execve === undefined) await besideIt();
else process.execve(process.execPath, [process.execPath, ...args], process.env);

async function asItself() {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  await import(new URL(existsSync(made) ? '../dist/gateway/main.js' : '../src/cli/main.ts', import.meta.url).href);
}

/** Control-C reaches both; the program ends first, and this one as it did. */
async function besideIt() {
  const { spawn } = await import('node:child_process');
  const { constants } = await import('node:os');
  process.on('SIGINT', () => {});
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)));
}
