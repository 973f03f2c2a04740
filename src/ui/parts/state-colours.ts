/** One state, one colour: a name of the theme's, the same on every screen. */
import type { MantineColor } from '@mantine/core';
import type { State } from '../../api/ports/selling.ts';

export const stateColours: Readonly<Record<State, MantineColor>> = {
  idle: 'gray',
  busy: 'blue',
  approved: 'green',
  declined: 'red',
  unknown: 'yellow',
  offline: 'violet',
  person: 'amber',
};
