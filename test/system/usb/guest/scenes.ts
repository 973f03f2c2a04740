/** The scenes in the order they are played. Whatever is plugged in at the end of one is pulled before the next. */
import { anyPort } from './scenes/any-port.ts';
import { enumeration } from './scenes/enumeration.ts';
import { sales } from './scenes/sales.ts';
import { unplugged } from './scenes/unplugged.ts';
import type { Scene } from './tap.ts';

export const scenes: readonly Scene[] = [...enumeration, ...sales, ...unplugged, ...anyPort];
