/** At which bytes of a conversation a damaged wire is tried. */
import type { TraceDirection } from '../../../drivers/driver.ts';
import { type Link, reportBytes } from '../../../drivers/links/link.ts';
import { byNight } from '../night/night.ts';
import { type Damage, type DamageKind, damages, harmlessDamages } from './damaged-wire.ts';

/** Every so many bytes of each direction, from the byte `from` on. */
export type Stride = { every: number; from: number };

type Trial = {
  kind: DamageKind;
  carries: Link['carries'];
  /** The densest scene of a protocol gets the damages that lose something at more places than the others. */
  dense: boolean;
  sceneAt: number;
};

/** By night every place is tried. By day one in eight, another for each damage: together they meet every place. */
const onePlaceIn = byNight({ day: damages.length, night: 1 });

/**
 * By night the dense scene is damaged at every third byte, everything else at every 17th; of reports each gets every
 * damage that moves it as a whole, once.
 */
export const strideOf = ({ kind, carries, dense, sceneAt }: Trial): Stride => {
  // A turned bit is one of the byte, all else happens to its report.
  const bytes = dense && !harmlessDamages.includes(kind) ? 3 : 17;
  const place = carries === 'reports' && kind !== 'corrupt' ? reportBytes : bytes;
  const turn = (damages.indexOf(kind) + sceneAt) % onePlaceIn;
  return { every: place * onePlaceIn, from: place * turn };
};

/** How many damages there are at least along so many bytes, both directions together. */
export const damagesLeast = (bytes: number, { every }: Stride): number => Math.floor(bytes / every) - 1;

/** The damages of this kind to a conversation of so many bytes. */
export const damagesAlong = (
  bytes: Readonly<Record<TraceDirection, number>>,
  kind: DamageKind,
  stride: Stride,
): Damage[] =>
  (['said', 'heard'] as const).flatMap((way) => {
    const found: Damage[] = [];
    for (let at = stride.from; at < bytes[way]; at += stride.every) found.push({ kind, way, at });
    return found;
  });
