/**
 * The technician's screen: a navigation rail, and the panel that the address names. A failure affects only its own
 * panel.
 */
import './technician.css';
import { Alert, Box, Button, Stack, Text } from '@mantine/core';
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { IconAlertTriangle } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { Loading } from './parts.tsx';
import { pathOf, sectionOf, sections, type TechnicianSection } from './sections.ts';
import { useChanges } from './till.ts';

const panels: Readonly<Record<TechnicianSection, ComponentType>> = {
  devices: lazy(() => import('./devices.tsx').then(({ Devices: panel }) => ({ default: panel }))),
  pair: lazy(() => import('./pair.tsx').then(({ Pair: panel }) => ({ default: panel }))),
  trace: lazy(() => import('./trace.tsx').then(({ Trace: panel }) => ({ default: panel }))),
  line: lazy(() => import('./line.tsx').then(({ Line: panel }) => ({ default: panel }))),
  loopback: lazy(() => import('./loopback.tsx').then(({ LoopbackPanel: panel }) => ({ default: panel }))),
  printers: lazy(() => import('./printers.tsx').then(({ Printers: panel }) => ({ default: panel }))),
  programKeys: lazy(() => import('./program-keys.tsx').then(({ ProgramKeys: panel }) => ({ default: panel }))),
  configuration: lazy(() => import('./configuration.tsx').then(({ Configuration: panel }) => ({ default: panel }))),
  bundle: lazy(() => import('./bundle.tsx').then(({ Bundle: panel }) => ({ default: panel }))),
  updates: lazy(() => import('./updates.tsx').then(({ Updates: panel }) => ({ default: panel }))),
};

export const Technician = () => {
  const { t } = useWords('technician');
  const [path] = useLocation();
  const name = sectionOf(path);
  const main = useRef<HTMLElement>(null);
  const previousName = useRef(name);
  useChanges();
  useEffect(() => {
    if (previousName.current === name) return;
    previousName.current = name;
    main.current?.focus({ preventScroll: true });
  }, [name]);
  const Panel = panels[name];
  return (
    <Box className="te-shell">
      <a className="te-skip" href="#te-main">
        {t.skip}
      </a>
      <Rail current={name} />
      <main id="te-main" className="te-main" tabIndex={-1} ref={main} aria-label={t.sections[name]}>
        <CrashGuard key={name} message={t.failed} retryLabel={t.showAgain}>
          <Suspense fallback={<Loading />}>
            <Panel />
          </Suspense>
        </CrashGuard>
      </main>
    </Box>
  );
};

const Rail = ({ current }: { current: TechnicianSection }) => {
  const { t, shared } = useWords('technician');
  return (
    <nav className="te-rail" aria-label={shared.screens.technician}>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {sections.map(({ name, icon: Icon }) => (
          <li key={name}>
            <Link href={pathOf(name)} aria-current={name === current ? 'page' : undefined}>
              <Icon size={22} style={{ flex: 'none' }} />
              {t.sections[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

// A panel that fails does not affect anything else, and says so.

type Props = { message: string; retryLabel: string; children: ReactNode };

class CrashGuard extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { message, retryLabel, children } = this.props;
    if (this.state.error === undefined) return children;
    return (
      <Alert color="red" icon={<IconAlertTriangle />} title={message} role="alert">
        <Stack align="flex-start">
          <Text size="sm">{String(this.state.error).slice(0, 200)}</Text>
          <Button onClick={() => this.setState({ error: undefined })}>{retryLabel}</Button>
        </Stack>
      </Alert>
    );
  }
}
