/** The bench's counter: the terminals on it, one of each make, and their tills. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Shop } from './shop.ts';
import { type Make, UsbTerminal } from './terminals.ts';

const terminals: UsbTerminal[] = [];
const shops: Shop[] = [];
let created = 0;

/** A new terminal, not plugged in, with its own serial number and unused cards unless given. */
export const terminalOf = (make: Make, options: { serial?: string; lastAtc?: number } = {}): UsbTerminal => {
  created += 1;
  const { serial = String(17_000_000 + created), ...cards } = options;
  const terminal = new UsbTerminal(make, serial, cards);
  terminals.push(terminal);
  return terminal;
};

/** An empty folder for a till. */
export const tillFolder = (name: string): string => {
  const folder = join(tmpdir(), 'tills', name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** A terminal plugged into this port, and a till that is paired with it. */
export const counter = async (make: Make, port = 0): Promise<{ terminal: UsbTerminal; shop: Shop }> => {
  const terminal = terminalOf(make);
  await terminal.plugIn(port);
  const folder = tillFolder(terminal.serial);
  await Shop.pair(folder, await terminal.address());
  const shop = await Shop.open(folder);
  shops.push(shop);
  return { terminal, shop };
};

/** Closes every till and removes every terminal: the next scene finds the counter empty. */
export const clear = async (): Promise<void> => {
  for (const shop of shops.splice(0)) await shop.close();
  for (const terminal of terminals.splice(0)) await terminal.remove();
};

/** Throws if `isTrue` is false. */
export function expect(isTrue: boolean, message: string): asserts isTrue {
  if (!isTrue) throw new Error(message);
}

/** Another program that opens the link to this address, and what it reports. It keeps the link until it is ended. */
export const open = async (address: string, user: { uid?: number } = {}) => {
  const program = fileURLToPath(import.meta.resolve('./open.ts'));
  const child = spawn(process.execPath, [...process.execArgv, program, address], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...user,
  });
  const exit = once(child, 'exit');
  const text = await new Promise<string>((resolve) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => resolve(`nothing, and ended with ${code}`));
  });
  return {
    says: text,
    pid: child.pid,
    async end() {
      child.stdin.end();
      await exit;
    },
  };
};
