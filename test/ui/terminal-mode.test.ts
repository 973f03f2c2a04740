/** What screens offer when no terminal is paired, and for a real terminal at a test till: rendered, not pressed. */
import { createRequire } from 'node:module';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import type { Counter } from '../../src/api/contract/counters.ts';
import type { DeviceRow } from '../../src/api/contract/devices.ts';

const load = createRequire(import.meta.url);

/** The screens are a separate program with the browser's types: here they are imported by name only. */
const screen = <P extends object>(file: string, name: string): FunctionComponent<P> => {
  const module = load(`../../src/ui/${file}`) as Record<string, FunctionComponent<P>>;
  const found = module[name];
  if (found === undefined) throw new TypeError(`${file} has no ${name}`);
  return found;
};
const IdlePanel = screen<{ cashier: unknown }>('cashier/notices.tsx', 'IdlePanel');
const DeviceCard = screen<{ device: DeviceRow }>('technician/devices.tsx', 'DeviceCard');
const Devices = screen('technician/devices.tsx', 'Devices');

const render = (node: ReactNode, client = new QueryClient()): string => {
  const inside = createElement(QueryClientProvider, { client }, node);
  const page = createElement(Router, { ssrPath: '/', children: createElement(MantineProvider, null, inside) });
  return renderToString(page).replace(/<(style|svg).*?<\/\1>/gs, '');
};

const zvt: DeviceRow = {
  ...{ counter: 'T1', address: 'zvt+tcp://192.168.1.20:20007', link: 'tcp', driver: 'zvt', title: 'ZVT terminal' },
  ...{ model: 'H5000', serial: '88001122', problems: [] },
};
const card = (device: DeviceRow): string => render(createElement(DeviceCard, { device }));

test('a real terminal at a test till shows why it does not sell, and what a manager can state', () => {
  const open = card({ ...zvt, atTestHost: false });
  expect(open).toContain('it would charge real cards');
  expect(open).toContain('It uses its manufacturer’s test host');
  const output = card({ ...zvt, atTestHost: true });
  expect(output).toContain('so this test till sells on it');
  expect(output).toContain('It no longer uses a test host');
  expect(card(zvt)).not.toContain('test host');
});

const counter: Counter = { name: 'T1', state: 'unpaired', integrated: false };
const offer = 'Use a simulated terminal';

test.each([
  [{ ...counter, offersSimulated: true } as const, true],
  [counter, false],
])('without a paired terminal the technician’s list offers a simulated one only for %j', (one, offers) => {
  const client = new QueryClient();
  client.setQueryData(['technician', 'devices'], []);
  client.setQueryData(['technician', 'counters'], [one]);
  const page = render(createElement(Devices), client);
  expect(page).toContain('No terminal is paired yet.');
  expect(page.includes(offer)).toBe(offers);
});

test.each([
  [{ ...counter, offersSimulated: true } as const, true],
  [counter, false],
])('the cashier’s panel for that case offers it only for %j', (one, offers) => {
  const problem = { code: 'terminal.unpaired', says: 'No terminal is paired with this till', facts: {} };
  const cashier = { free: undefined, counters: { data: [{ ...one, problem }] }, selling: { say: () => {} } };
  const panel = render(createElement(IdlePanel, { cashier }));
  expect(panel).toContain('No terminal is paired with this till');
  expect(panel.includes(offer)).toBe(offers);
});

test.each([
  [undefined, 'Ready'],
  ['plain', 'No sales for now'],
])('a till blocked because of %s says %j at the counter', (reason, title) => {
  const client = new QueryClient();
  client.setQueryData(['session'], { shop: { held: reason }, staffKnown: false });
  const way = { accept: ['chip', 'tap', 'swipe'], partial: false };
  const cashier = { free: { name: 'T1' }, counters: { data: [] }, selling: { say: () => {} }, way };
  expect(render(createElement(IdlePanel, { cashier }), client)).toContain(`<h2>${title}</h2>`);
});
