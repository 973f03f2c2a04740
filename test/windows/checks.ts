/** The checks that run on Windows, in order. Each check returns what it saw, or throws what is wrong. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA, npmOptions, PROJECT } from './shop.ts';
import { dataOf, serve, tillgate, until } from './till.ts';
import { countsIn, judged } from './unit-report.ts';
import type { Ended, Windows } from './wine.ts';

export type Check = { name: string; says: string; run(windows: Windows): Promise<string> };

const project = join(import.meta.dirname, '../..');

const install: Check = {
  name: 'install',
  says: '`npm ci` with npm for Windows, in a folder with a space in its path',
  async run(windows) {
    const isKept = existsSync(join(windows.drive, PROJECT, 'node_modules'));
    succeed(await windows.run(['cmd', '/c', 'npm', ...(isKept ? ['run', 'prepare'] : ['ci'])], npmOptions(windows)));
    const { out: output } = succeed(await tillgate(windows, ['--help']));
    return firstLine(output);
  },
};

const demo: Check = {
  name: 'demo',
  says: '`npm run demo`: the shop’s day balances to the cent',
  async run(windows) {
    const { out: output } = succeed(await windows.run(['cmd', '/c', 'npm', 'run', 'demo'], { folder: PROJECT }));
    return mustContain(output, 'agree to the cent');
  },
};

const port: Check = {
  name: 'COM port',
  says: 'a sale on COM3, connected to a simulated Miura terminal; then a sale on a port that does not exist',
  async run(windows) {
    const folder = mkdtempSync(join(tmpdir(), 'com-'));
    const at = join(folder, 'terminal');
    const device = spawn(process.execPath, ['src/cli/main.ts', 'simulate', 'mpi', '--pty', at, '--data', folder], {
      cwd: project,
      stdio: 'ignore',
    });
    try {
      await until('the simulated terminal has its port', () => (existsSync(at) ? true : undefined));
      await windows.port('COM3', realpathSync(at));
      const sell = (name: string): Promise<Ended> =>
        tillgate(windows, ['till', 'sell', '12.50', '--terminal', `mpi+serial:${name}`, '--data', dataOf('com')]);
      const { out: output } = succeed(await sell('COM3'));
      const missing = await sell('COM9');
      if (missing.code === 0) throw new Error(`the sale on a missing port did not fail: ${missing.out}`);
      return `${mustContain(output, 'APPROVED')}; COM9: ${lastLine(missing.out)}`;
    } finally {
      device.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const missingDrive: Check = {
  name: 'no drive',
  says: '`--data Q:\\till` ends with an error message',
  async run(windows) {
    const {
      code,
      out: output,
      ms,
    } = await tillgate(windows, ['till', 'sales', '--data', 'Q:\\till'], { withinMs: 60_000 });
    if (code === 0 || !output.includes('Q:'))
      throw new Error(`exit code ${code} after ${Math.round(ms)} ms: ${output}`);
    return lastLine(output);
  },
};

const copyDrive: Check = {
  name: 'stick pulled',
  says: 'a till sells while the drive of its second copy is missing, is plugged in, pulled and plugged in again',
  async run(windows) {
    const stickFolder = join(windows.drive, 'stick');
    // An earlier run may have left the copy of another till there.
    rmSync(stickFolder, { recursive: true, force: true });
    mkdirSync(stickFolder, { recursive: true });
    windows.letter('e', undefined);
    succeed(await tillgate(windows, ['till', 'sales', '--data', dataOf('stick')]));
    changeJson(windows, 'stick', (config) => ({ ...config, secondCopy: 'E:\\copy' }));
    const till = await serve(windows, dataOf('stick'));
    try {
      const seen: string[] = [];
      /** Compares the copy's entries with the till's own. */
      const copied = async (): Promise<true | undefined> => {
        const behindCount = /tillgate_till_second_copy_behind (\d+)/.exec(await till.text('metrics'))?.[1];
        return behindCount === '0' && existsSync(join(stickFolder, 'copy/journal.db')) ? true : undefined;
      };
      const sales = async (dataFolder: string, amounts: readonly string[]): Promise<void> => {
        for (const amount of amounts) seen.push(`${dataFolder}: ${await till.sell(amount)}`);
      };
      await sales('not there', ['1.01', '1.02']);
      windows.letter('e', 'stick');
      await sales('there', ['1.03']);
      await until('the copy has caught up', copied);
      windows.letter('e', undefined);
      await sales('pulled', ['1.04', '1.05']);
      windows.letter('e', 'stick');
      await sales('back', ['1.06']);
      await until('the copy has caught up again', copied);
      if (!seen.every((one) => one.endsWith('approved approved'))) throw new Error(seen.join('; '));
      return `${seen.length} of ${seen.length} sales approved, and the copy has all of them`;
    } finally {
      await till.started.kill();
    }
  },
};

const encodings: Check = {
  name: 'till.json',
  says: '`till.json` with a BOM, in UTF-16, with CRLF; in Latin-1 it is rejected with a message that says so',
  async run(windows) {
    const file = join(windows.drive, DATA, 'text/till.json');
    const read = (): Promise<Ended> => tillgate(windows, ['till', 'sales', '--data', dataOf('text')]);
    succeed(await read());
    const config = JSON.parse(readFileSync(file, 'utf8')) as { merchant?: object };
    const text = JSON.stringify({ ...config, merchant: { ...config.merchant, name: 'Café' } }, null, 2);
    const forms: Readonly<Record<string, Buffer>> = {
      BOM: Buffer.from(`\uFEFF${text}`),
      'UTF-16': Buffer.from(`\uFEFF${text}`, 'utf16le'),
      CRLF: Buffer.from(text.replaceAll('\n', '\r\n')),
    };
    for (const [name, bytes] of Object.entries(forms)) {
      writeFileSync(file, bytes);
      const { code, out: output } = await read();
      if (code !== 0) throw new Error(`${name}: ${output}`);
    }
    writeFileSync(file, Buffer.from(text, 'latin1'));
    const { code, out: output } = await read();
    if (code === 0 || output.includes('Caf\uFFFD') || !output.includes('till.json'))
      throw new Error(`Latin-1: ${output}`);
    return `${Object.keys(forms).join(', ')} read; Latin-1: ${lastLine(output)}`;
  },
};

const heldFile: Check = {
  name: 'held file',
  says: 'another program holds `till.json` open for eight seconds while a command changes it; then for a minute',
  async run(windows) {
    succeed(await tillgate(windows, ['till', 'sales', '--data', dataOf('held')]));
    const set = (amount: string): Promise<Ended> =>
      tillgate(windows, ['till', 'limits', 'set', 'chip.upTo', amount, '--data', dataOf('held')]);
    const holdFile = (seconds: number) =>
      windows.start(['cmd', '/c', 'ping', '-n', String(seconds + 1), '127.0.0.1', '<', `${dataOf('held')}\\till.json`]);
    const short = holdFile(8);
    succeed(await set('5.00'));
    await short.ended;
    const long = holdFile(60);
    const { code, out: output } = await set('6.00');
    await long.kill();
    if (code === 0 || !output.includes('till.json') || output.includes('--data'))
      throw new Error(`exit code ${code}: ${output}`);
    return `eight seconds: changed; a minute: ${lastLine(output)}`;
  },
};

const killed: Check = {
  name: 'killed',
  says: 'ten tills are killed in the middle of a sale; then the day is closed and compared with the gateway',
  async run(windows) {
    const data = dataOf('killed');
    for (let n = 1; n <= 10; n++) {
      const till = await serve(windows, data);
      await till.begin(`${n}.07`);
      // Each is killed a little later in the sale than the one before.
      await until('the moment of the kill', () => (performance.now() % 100 < 100 ? true : undefined));
      await new Promise((resolve) => setTimeout(resolve, n * 150));
      await till.started.kill();
      await till.started.ended;
    }
    const after = await serve(windows, data);
    const last = soldOutput(await after.sell('20.00'));
    await after.started.kill();
    await after.started.ended;
    const proved = succeed(await tillgate(windows, ['till', 'journal', 'verify', '--data', data]));
    const closed = succeed(await tillgate(windows, ['till', 'batch', 'close', '--data', data]));
    const of = `${mustContain(proved.out, 'in order')} ${mustContain(proved.out, 'add up')}`;
    return `the sale after them: ${last}; ${of}; closed: ${mustContain(closed.out, 'CHARGES INTENDED')}`;
  },
};

const stop: Check = {
  name: 'stop',
  says: '`till stop` in the middle of a sale, over a named pipe; then the next start',
  async run(windows) {
    const data = dataOf('stop');
    const till = await serve(windows, data);
    await till.begin('5.55');
    const { out: output } = succeed(await tillgate(windows, ['till', 'stop', '--data', data]));
    const code = await till.started.ended;
    if (code !== 0) throw new Error(`the till ended with ${code}: ${till.started.printed()}`);
    const text = succeed(await tillgate(windows, ['till', 'sales', '--json', '--data', data])).out;
    const { sales } = JSON.parse(text) as { sales: { ending: string }[] };
    const [{ ending } = { ending: 'none' }, ...otherSales] = sales;
    if (otherSales.length > 0 || !['approved', 'declined', 'notSent'].includes(ending)) throw new Error(text);
    const next = await serve(windows, data);
    const after = soldOutput(await next.sell('6.66'));
    await next.started.kill();
    return `${mustContain(output, 'ended')} The sale: ${ending}; the next one: ${after}`;
  },
};

const unit: Check = {
  name: 'unit tests',
  says: '`npm test`: all tests that need nothing but npm',
  async run(windows) {
    const report = join(windows.drive, 'unit.json');
    rmSync(report, { force: true });
    const command = ['node_modules\\.bin\\vitest', 'run', '--project', 'unit'];
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=C:\\unit.json'];
    const { out: output } = await windows.run(['cmd', '/c', ...command, ...reporters], {
      folder: PROJECT,
      withinMs: 40 * 60_000,
    });
    if (!existsSync(report)) throw new Error(output.slice(-2_000));
    return judged(countsIn(report));
  },
};

export const checks: readonly Check[] = [
  install,
  demo,
  port,
  missingDrive,
  copyDrive,
  encodings,
  heldFile,
  killed,
  stop,
  unit,
];

const changeJson = ({ drive }: Windows, folder: string, change: (config: object) => object): void => {
  const file = join(drive, DATA, folder, 'till.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as object)));
};

const succeed = (result: Ended): Ended => {
  if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.out.slice(-2_000)}`);
  return result;
};

/** As `Served.sell` returns it. */
const soldOutput = (ending: string): string => {
  if (ending !== 'approved approved') throw new Error(`a sale that ended as: ${ending}`);
  return ending;
};

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');
const firstLine = (text: string): string => linesOf(text)[0] ?? '';
const lastLine = (text: string): string => linesOf(text).at(-1) ?? '';

const mustContain = (text: string, message: string): string => {
  const line = linesOf(text).find((one) => one.includes(message));
  if (line === undefined) throw new Error(`did not print "${message}": ${text.slice(-2_000)}`);
  return line.trim();
};
