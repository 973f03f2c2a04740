/** At which bytes of a conversation a damaged wire is tested. */
import type { TraceDirection } from '../../../drivers/driver.ts';
import { type Link, reportBytes } from '../../../drivers/links/link.ts';
import { byNight } from '../night/night.ts';
import { type Damage, type DamageKind, damages, harmlessDamages } from './damaged-wire.ts';

/** Every so many bytes of each direction, starting at byte `from`. */
export type Stride = { every: number; from: number };

type Trial = {
  kind: DamageKind;
  carries: Link['carries'];
  /** The densest scene of a protocol is tested at more places with damages that lose something. */
  dense: boolean;
  sceneAt: number;
};

/**
 * By night every place is tested. By day one in eight, a different one for each damage: together they cover every
 * place.
 */
const onePlaceIn = byNight({ day: damages.length, night: 1 });

/**
 * By night the dense scene is damaged at every third byte, everything else at every 17th; each report gets every damage
 * that affects it as a whole, once.
 */
export const strideOf = ({ kind, carries, dense, sceneAt }: Trial): Stride => {
  // A flipped bit concerns a single byte; all other damages concern its report.
  const bytes = dense && !harmlessDamages.includes(kind) ? 3 : 17;
  const place = carries === 'reports' && kind !== 'corrupt' ? reportBytes : bytes;
  const turn = (damages.indexOf(kind) + sceneAt) % onePlaceIn;
  return { every: place * onePlaceIn, from: place * turn };
};

/** The least number of damages along this many bytes, both directions together. */
export const minDamageCount = (bytes: number, { every }: Stride): number => Math.floor(bytes / every) - 1;

/** The damages of this kind for a conversation of this many bytes. */
export const damagesOf = (
  bytes: Readonly<Record<TraceDirection, number>>,
  kind: DamageKind,
  stride: Stride,
): Damage[] =>
  (['said', 'heard'] as const).flatMap((direction) => {
    const found: Damage[] = [];
    for (let index = stride.from; index < bytes[direction]; index += stride.every)
      found.push({ kind, direction, at: index });
    return found;
  });
