/**
 * At which bytes a damaged wire is tried. The densest scene of a protocol gets the damages that lose something at every
 * third byte, everything else at every 17th; of reports each gets every damage that moves it as a whole, once.
 */
import { type Link, reportBytes } from '../../../drivers/links/link.ts';
import { type DamageKind, harmlessDamages } from './damaged-wire.ts';

export const strideOf = (o: { kind: DamageKind; carries: Link['carries']; dense: boolean }): number => {
  // A turned bit is one of the byte, all else happens to its report.
  if (o.carries === 'reports' && o.kind !== 'corrupt') return reportBytes;
  return o.dense && !harmlessDamages.includes(o.kind) ? 3 : 17;
};
