/** The rail: every section with its key, the day's close below. Arrow keys walk along it. */
import { Text, UnstyledButton } from '@mantine/core';
import {
  IconAdjustments,
  IconAlertTriangle,
  IconDownload,
  IconLayoutDashboard,
  IconListDetails,
  IconLock,
  IconScale,
  IconStack2,
  IconUsers,
} from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { fill } from '../../words/fill.ts';
import { api, got } from '../api.ts';
import { useWords } from '../words/words.ts';
import { useRead } from './doing.tsx';
import { type ManagerSection, type SectionName, sections } from './sections.ts';
import { questionOf, useKeys } from './staff/key-actions.tsx';

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

const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const ends: Record<string, number> = { Home: 0, End: links.length - 1 };
  const step = steps[event.key];
  const to = ends[event.key] ?? (step === undefined ? undefined : (at + step + links.length) % links.length);
  if (to === undefined) return;
  event.preventDefault();
  links[to]?.focus();
};

/** The close stands by itself, always in sight. */
const listed = sections.filter(({ name }) => name !== 'closing');
const closing = sections.find(({ name }) => name === 'closing');

export const Rail = ({ current }: { current: SectionName | undefined }) => {
  const { t } = useWords('manager');
  const items = useRead(['openItems'], () => got(api['open-items'].$get()));
  const keys = useKeys();
  const counts: Partial<Readonly<Record<SectionName, number>>> = {
    openItems: items.data?.length ?? 0,
    staff: keys.data?.filter((row) => questionOf(row) !== undefined).length ?? 0,
  };
  return (
    <nav className="m-rail" aria-label={t.rail} onKeyDown={walk}>
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
      <Icon size={22} aria-hidden />
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
