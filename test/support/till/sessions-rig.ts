/** The sessions of a till that locks itself after five minutes, with a real journal and a virtual clock. */
import { expect } from 'vitest';
import { openEvents } from '../../../src/app/events.ts';
import { openPosKeys } from '../../../src/staff/sessions/pos-keys.ts';
import { openSessions, type SessionManager, type SessionsParts } from '../../../src/staff/sessions/sessions.ts';
import { ana, ben, type StaffRig, staffRig } from './staff-rig.ts';

export const MINUTE = 60_000;

export type SessionsRig = StaffRig & {
  readonly events: ReturnType<typeof openEvents>;
  /** Errors that no caller could receive. */
  readonly reported: readonly unknown[];
  sessions: SessionManager;
  /** Sessions as another start opens them. */
  openSessions(overrides?: Partial<SessionsParts>): SessionManager;
  /** Ana is a manager, Ben a cashier, Tess a technician. */
  withPeople(): Promise<void>;
  /** The journal's entries about people, in a few words each. */
  auditEvents(): string[];
};

export const sessionsRig = (seed: number): SessionsRig => {
  const people = staffRig(seed);
  const { clock, random, end } = people;
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const events = openEvents(report);
  const opened = (overrides?: Partial<SessionsParts>): SessionManager => {
    const posKeys = openPosKeys({ journal: people.journal, clock, random });
    return openSessions({
      ...{ staff: () => rig.staff, posKeys: () => posKeys, shop: () => ({}) as never, events, clock, random, report },
      lockAfterMs: () => 5 * MINUTE,
      ...overrides,
    });
  };
  const rig: SessionsRig = Object.assign(people, {
    ...{ events, reported, sessions: opened(), openSessions: opened },
    async withPeople() {
      const by = await rig.staff.add({ ...ana, role: 'manager' });
      await rig.staff.add({ ...ben, role: 'cashier' }, by);
      await rig.staff.add({ name: 'Tess', role: 'technician', pin: '740265' }, by);
    },
    auditEvents: () =>
      rig.journal.about('staff').map(({ body }) => {
        const { on, name, how, permission, asked } = JSON.parse(body) as Record<string, string>;
        return [on, name, how ?? permission, asked].filter((part) => part !== undefined).join(' ');
      }),
    end() {
      rig.sessions.close();
      expect(events.listeners()).toBe(0);
      end();
    },
  });
  return rig;
};
