/**
 * `npm run bench [-- --sales N] [--only PART]`, a part being one of ours, terminals, till, queue, recovery, gateway,
 * schedules, widget, settlement, webhooks, screens, saturday. Saturday takes ten minutes; its options are `--minutes
 * N`, `--seed N` for another day, `--stuck N` for items that need a person from the first minute on, and `--json` for
 * programs. Measures our speed compared with other packages in the same run, the cost of drivers and of a sale, how the
 * queue stores and sends, the cost of a start and of a search, settlement, the gateway under load, and the reaction
 * time of the till's screens. The gateway part needs PostgreSQL's programs; widget and screens need Chromium.
 */
import { parseArgs } from 'node:util';
import { benchDukpt } from './dukpt.ts';
import { reportGateway } from './gateway/report.ts';
import { benchParameters, parseLine } from './parameters.ts';
import { reportQueue } from './queue/report.ts';
import { reportRecovery } from './recovery.ts';
import { benchLine } from './result.ts';
import { reportSaturday } from './saturday/report.ts';
import { reportSchedules } from './schedules.ts';
import { reportScreens } from './screens/report.ts';
import { reportSettlement } from './settlement.ts';
import { reportSimulation } from './simulation.ts';
import { reportTerminals } from './terminals/report.ts';
import { benchTill } from './till.ts';
import { benchTlv } from './tlv.ts';
import { benchTokens } from './tokens.ts';
import { reportWebhooks } from './webhooks.ts';
import { reportWidget } from './widget.ts';

const { values } = parseArgs({
  options: {
    sales: { type: 'string', default: '10000' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    stuck: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});
const sales = Number(values.sales);
const print = (line: string) => void process.stdout.write(`${line}\n`);
const verdict = (isMet: boolean) => (isMet ? 'ok' : 'MISSED');

const benchOurs = async (): Promise<boolean> => {
  const parameterBenches = benchParameters();
  const rows = [...benchTlv(), ...benchDukpt(), ...benchTokens(), ...parameterBenches];
  for (const row of rows) print(benchLine(row));
  const parsed = parameterBenches.map(parseLine);
  for (const { line, isMet } of parsed) print(`${line}  ${verdict(isMet)}`);
  return rows.every(({ ours, peer, expected }) => ours >= peer * expected) && parsed.every(({ isMet }) => isMet);
};

const reportTill = async (): Promise<boolean> => {
  print(`\n${sales} online chip sales, each through driver, journal and embedded gateway …`);
  const { approved, steps, medianMs, p99Ms, memoryMb } = await benchTill(sales);
  const highestMb = Math.max(...memoryMb);
  print(`approved                       ${approved} of ${sales}  ${verdict(approved === sales)}`);
  print(
    `the till's own time for a sale median ${medianMs} ms, p99 ${p99Ms} ms (wanted: under 30)  ${verdict(p99Ms < 30)}`,
  );
  // The step that opens the batch belongs to the day, not to a sale.
  const each = Math.round(steps * 100) / 100;
  print(`durable steps (fsyncs) a sale  ${each.toFixed(2)} (wanted: at most 4)  ${verdict(each <= 4)}`);
  print(`memory after each tenth, MB    ${memoryMb.join(' ')} (wanted: flat, under 150)  ${verdict(highestMb < 150)}`);
  return approved === sales && p99Ms < 30 && each <= 4 && highestMb < 150;
};

const parts = {
  ours: benchOurs,
  terminals: () => reportTerminals(print),
  till: reportTill,
  queue: async () => {
    const queue = await reportQueue(print);
    return (await reportSimulation(print)) && queue;
  },
  recovery: () => reportRecovery(print),
  settlement: () => reportSettlement(print),
  gateway: () => reportGateway(print),
  widget: () => reportWidget(print),
  webhooks: () => reportWebhooks(print),
  schedules: () => reportSchedules(print),
  screens: () => reportScreens(print),
  saturday: () => {
    const { minutes, seed, stuck, json } = values;
    const request = { minutes: Number(minutes), seed: Number(seed), stuck: Number(stuck) };
    return reportSaturday(print, { sales, ...request, json });
  },
};
const candidates = Object.entries(parts).filter(([name]) => values.only === undefined || values.only === name);
for (const [, part] of candidates) if (!(await part())) process.exitCode = 1;
