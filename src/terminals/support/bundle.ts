/** The support bundle for a screen: what goes in and what the scan found, and the file itself. */
import { candidatesOf } from '../../../drivers/discovery.ts';
import { pluggedIn } from '../../../drivers/links/plugged.ts';
import type { BundleSection, TraceRow } from '../../api/ports/devices.ts';
import { type Clock, dateTime } from '../../base/clock.ts';
import type { Sql } from '../../journal/sql.ts';
import { unlistedMessage } from '../../words/en/messages/machine.ts';
import type { Diagnosis } from '../checks/diagnosis.ts';
import { scanForCardData } from './card-data-scan.ts';
import {
  bundleSections,
  bundleText,
  type CheckedSection,
  judgedSections,
  type SupportSection,
  suspectWords,
} from './support-bundle.ts';

export type BundleTools = {
  folder: string;
  clock: Clock;
  journal: Sql;
  version: string;
  /** The last one that was made, if any. */
  diagnosis: Diagnosis | undefined;
  trace: readonly TraceRow[];
};

/** Lines of a section that a person may look at before it is sent. */
const BEGINS = 40;

const judged = async ({
  folder,
  clock,
  journal,
  version,
  diagnosis,
  trace,
}: BundleTools): Promise<CheckedSection[]> => {
  const { devices, problems } = await pluggedIn();
  const terminals = candidatesOf(devices).map(({ likely, place, family }) => `${likely}  ${place}  ${family ?? ''}`);
  const sections = bundleSections({
    ...{ folder, clock, journal, diagnosis },
    versions: { tillgate: version, node: process.version },
    terminals: [...terminals, ...problems.map((one) => unlistedMessage(one).says)],
  });
  return judgedSections([...sections, traceSection(trace)], folder);
};

/** Bytes are masked already; those that still look like card data, mostly by chance, are not worth the doubt. */
const traceSection = (trace: readonly TraceRow[]): SupportSection => ({
  name: 'trace',
  lines: trace.map(({ at, counter, way, hex, says }) => {
    const line = (bytes: string): string =>
      `${dateTime(at)}  ${counter}  ${way}  ${bytes}  ${says.map(({ text }) => text).join('; ')}`;
    const whole = line(hex);
    return scanForCardData(whole).length === 0 ? whole : line(`(${hex.length / 2} bytes left out)`);
  }),
});

/** What would go in, and why what would not. */
export const bundlePreview = async (tools: BundleTools): Promise<{ sections: BundleSection[] }> => ({
  sections: (await judged(tools)).map(({ section: { name, lines }, suspect }) => ({
    name,
    lines: lines.length,
    suspects: suspect === undefined ? [] : [suspectWords([suspect])],
    begins: suspect === undefined ? lines.slice(0, BEGINS) : [],
  })),
});

/** The file, made anew from what is there now: only what the scan found clean is in it. */
export const bundleFile = async (
  tools: BundleTools,
): Promise<{ name: string; bytes: Uint8Array; leftOut: string[] }> => {
  const { text, leftOut } = bundleText(await judged(tools));
  const stamp = dateTime(tools.clock.now()).replace(/[: ]/g, '-');
  return {
    name: `tillgate-support-${stamp}.txt`,
    bytes: Buffer.from(text),
    leftOut: leftOut.map((suspect) => suspectWords([suspect])),
  };
};
