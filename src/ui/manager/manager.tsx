/** The manager's screen: a navigation rail, and the section that the address names. */
import './manager.css';
import { Badge, Box, Text, UnstyledButton } from '@mantine/core';
import { lazy, type KeyboardEvent as RailKey, Suspense, useEffect, useRef } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { fill } from '../../base/placeholders.ts';
import type { Words } from '../../locales/screens.ts';
import { api, got } from '../api.ts';
import {
  IconAdjustments,
  IconAlertTriangle,
  IconCloud,
  IconCloudOff,
  IconDownload,
  IconLayoutDashboard,
  IconListDetails,
  IconLock,
  IconScale,
  IconStack2,
  IconUsers,
} from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { InTopBar } from '../parts/top-bar.tsx';
import { GO_LIVE, MACHINE } from '../screens.ts';
import { Loading } from './parts.tsx';
import { type ManagerSection, type SectionName, sectionOfKeys, sectionOfPath, sections } from './sections.ts';
import { questionOf, useKeys } from './staff/key-actions.tsx';
import { useChanges, useRead } from './use-action.tsx';

const Today = lazy(() => import('./today/today.tsx').then(({ Today: screen }) => ({ default: screen })));
const Batches = lazy(() => import('./batches/batches.tsx').then(({ Batches: screen }) => ({ default: screen })));
const Batch = lazy(() => import('./batches/batch.tsx').then(({ Batch: screen }) => ({ default: screen })));
const Reconcile = lazy(() => import('./reconcile/reconcile.tsx').then(({ Reconcile: one }) => ({ default: one })));
const Reconciliation = lazy(() =>
  import('./reconcile/reconciliation.tsx').then(({ Reconciliation: one }) => ({ default: one })),
);
const OpenItems = lazy(() => import('./open-items/open-items.tsx').then(({ OpenItems: one }) => ({ default: one })));
const Limits = lazy(() => import('./limits/limits.tsx').then(({ Limits: screen }) => ({ default: screen })));
const Staff = lazy(() => import('./staff/staff.tsx').then(({ Staff: screen }) => ({ default: screen })));
const Audit = lazy(() => import('./audit/audit.tsx').then(({ Audit: screen }) => ({ default: screen })));
const Reports = lazy(() => import('./reports/reports.tsx').then(({ Reports: screen }) => ({ default: screen })));
const Closing = lazy(() => import('./closing/closing.tsx').then(({ Closing: screen }) => ({ default: screen })));
const Machine = lazy(() => import('./machine/machine.tsx').then(({ Machine: screen }) => ({ default: screen })));
const GoingLive = lazy(() => import('./going-live/going-live.tsx').then(({ GoingLive: one }) => ({ default: one })));

const useShortcuts = (): void => {
  const [, navigate] = useLocation();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const section = sectionOfKeys(event);
      if (section === undefined) return;
      event.preventDefault();
      navigate(section.path);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
};

/**
 * Moves the focus to the new section for keyboard and screen reader users. A frame around the whole section is shown
 * only after Tab.
 */
const useArrival = (path: string) => {
  const main = useRef<HTMLElement>(null);
  const previousPath = useRef(path);
  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    const section = main.current;
    if (section === null) return;
    section.dataset['arrived'] = '';
    section.addEventListener('blur', () => delete section.dataset['arrived'], { once: true });
    section.focus({ preventScroll: true });
    section.scrollTo({ top: 0 });
  }, [path]);
  return main;
};

/** Content longer than the screen can be scrolled by arrow keys, even if nothing in it takes the focus. */
const scrolledByKeys = { tabIndex: 0 };

export const Manager = () => {
  const { t } = useWords('manager');
  const [path] = useLocation();
  const titleOfSubpage = titleOf(path, t);
  const current = titleOfSubpage === undefined ? sectionOfPath(path).name : undefined;
  const main = useArrival(path);
  useShortcuts();
  useChanges();
  return (
    <Box className="m-shell">
      <a className="m-skip" href="#m-main">
        {t.skip}
      </a>
      <Rail current={current} />
      <main
        id="m-main"
        className="m-main"
        {...scrolledByKeys}
        ref={main}
        aria-label={current === undefined ? titleOfSubpage : t.sections[current]}
      >
        <LineBadge />
        <Suspense fallback={<Loading />}>
          <SectionScreen />
        </Suspense>
      </main>
    </Box>
  );
};

/** The titles of pages that are not in the navigation; a bar over the screens leads to each. */
const titleOf = (path: string, { goingLive, machine }: Words['manager']): string | undefined =>
  path === GO_LIVE ? goingLive.title : path === MACHINE ? machine.title : undefined;

const SectionScreen = () => (
  <Switch>
    <Route path="/manager/batches/:batch/:terminalId?">
      {({ batch, terminalId }) => <Batch key={`${batch} ${terminalId}`} batch={batch} terminalId={terminalId} />}
    </Route>
    <Route path="/manager/batches" component={Batches} />
    <Route path="/manager/reconcile/:id">{({ id }) => <Reconciliation key={id} id={decodeURIComponent(id)} />}</Route>
    <Route path="/manager/reconcile" component={Reconcile} />
    <Route path="/manager/open-items">
      <OpenItems />
    </Route>
    <Route path="/manager/open-items/:receipt">{({ receipt }) => <OpenItems first={Number(receipt)} />}</Route>
    <Route path="/manager/limits" component={Limits} />
    <Route path="/manager/staff" component={Staff} />
    <Route path="/manager/audit" component={Audit} />
    <Route path="/manager/reports" component={Reports} />
    <Route path="/manager/close/:terminalId?">{({ terminalId }) => <Closing first={terminalId} />}</Route>
    <Route path={GO_LIVE} component={GoingLive} />
    <Route path={MACHINE} component={Machine} />
    <Route component={Today} />
  </Switch>
);

/** The state of the line to the gateway, in the bar over every screen. */
const LineBadge = () => {
  const { shared } = useWords('manager');
  const line = useRead(['line'], () => got(api.line.$get()));
  if (line.data === undefined) return null;
  const { online } = line.data;
  const Icon = online ? IconCloud : IconCloudOff;
  return (
    <InTopBar>
      <Badge size="lg" variant="light" color={online ? 'green' : 'violet'} leftSection={<Icon size={16} />}>
        <span className="tg-bar-word">{online ? shared.gateway.online : shared.gateway.offline}</span>
      </Badge>
    </InTopBar>
  );
};

// The navigation rail: every section with its key, and closing the day below. Arrow keys move along it.

const icons: Readonly<Record<SectionName, typeof IconLock>> = {
  today: IconLayoutDashboard,
  batches: IconStack2,
  reconcile: IconScale,
  openItems: IconAlertTriangle,
  limits: IconAdjustments,
  staff: IconUsers,
  audit: IconListDetails,
  reports: IconDownload,
  closing: IconLock,
};

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

const moveFocus = (event: RailKey<HTMLElement>): void => {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const i = links.indexOf(document.activeElement as HTMLElement);
  const ends: Record<string, number> = { Home: 0, End: links.length - 1 };
  const step = steps[event.key];
  const to = ends[event.key] ?? (step === undefined ? undefined : (i + step + links.length) % links.length);
  if (to === undefined) return;
  event.preventDefault();
  links[to]?.focus();
};

/** Closing is separate and always visible. */
const listed = sections.filter(({ name }) => name !== 'closing');
const closing = sections.find(({ name }) => name === 'closing');

const Rail = ({ current }: { current: SectionName | undefined }) => {
  const { t } = useWords('manager');
  const items = useRead(['openItems'], () => got(api['open-items'].$get()));
  const keys = useKeys();
  const counts: Partial<Readonly<Record<SectionName, number>>> = {
    openItems: items.data?.length ?? 0,
    staff: keys.data?.filter((row) => questionOf(row) !== undefined).length ?? 0,
  };
  return (
    <nav className="m-rail" aria-label={t.rail} onKeyDown={moveFocus}>
      <div className="m-rail-list">
        {listed.map((section) => (
          <RailLink
            key={section.name}
            section={section}
            isCurrent={section.name === current}
            count={counts[section.name] ?? 0}
          />
        ))}
      </div>
      {closing && <RailLink section={closing} isCurrent={current === 'closing'} count={0} />}
    </nav>
  );
};

type LinkProps = { section: ManagerSection; isCurrent: boolean; count: number };

const RailLink = ({ section: { name, path, key }, isCurrent, count }: LinkProps) => {
  const { t, number } = useWords('manager');
  const Icon = icons[name];
  const keys = fill(t.shortcut, { key });
  return (
    <UnstyledButton
      component={Link}
      href={path}
      className="m-link"
      data-main={name === 'closing' || undefined}
      aria-current={isCurrent ? 'page' : undefined}
      aria-keyshortcuts={`Alt+${key}`}
      title={t.sections[name]}
    >
      <Icon size={22} />
      <Text span className="m-link-word" truncate>
        {t.sections[name]}
      </Text>
      {count > 0 && <span className="m-link-count">{number(count)}</span>}
      <kbd className="m-link-key" aria-hidden>
        {keys}
      </kbd>
    </UnstyledButton>
  );
};
