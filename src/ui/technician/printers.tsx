/** The printers of this till: their state, a test page, the drawer; can be added and removed. */
import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { PrinterState } from '../../api/contract/paper.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { IconAlertTriangle, IconCircleCheck, IconPrinter, IconTrash } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { Listed, ProblemNote } from '../parts/problem.tsx';
import { ConfirmDialog, Head, VerdictNote } from './parts.tsx';
import { PrinterForm } from './printer-form.tsx';
import { useJob, useRead } from './till.ts';

export const Printers = () => {
  const { t } = useWords('technician');
  const printers = useRead(['printers'], () => got(api.printers.$get()));
  return (
    <>
      <Head title={t.sections.printers} intro={t.printersIntro} />
      <Stack>
        <Listed
          query={printers}
          isEmpty={(rows) => rows.length === 0}
          empty={
            <Alert color="gray" role="note">
              {t.noPrinters}
            </Alert>
          }
        >
          {(rows) => (
            <div className="te-cards">
              {rows.map((row) => (
                <Printer key={row.name} printer={row} />
              ))}
            </div>
          )}
        </Listed>
        <PrinterForm />
      </Stack>
    </>
  );
};

const colours: Readonly<Record<PrinterState['state'], string>> = {
  ready: 'green',
  paperLow: 'yellow',
  unknown: 'gray',
  away: 'red',
  paperOut: 'red',
  coverOpen: 'red',
  error: 'red',
};

/** The state's name says everything about these, so no reason is added. */
const saidByState: readonly string[] = ['printer.paperOut', 'printer.coverOpen'];

const Printer = ({ printer }: { printer: PrinterState }) => {
  const { t, format } = useWords('technician');
  const messages = useMessages();
  const { name, address, width, state, problem, drawer, waiting } = printer;
  const Icon = state === 'ready' ? IconCircleCheck : IconAlertTriangle;
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h3">
            <bdi>{name}</bdi>
          </Title>
          <Badge color={colours[state]} size="lg" variant="light" tt="none" leftSection={<Icon size={16} />}>
            {t.printerStates[state]}
          </Badge>
        </Group>
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <bdi>
            {[
              address,
              fill(t.paperMm, { mm: width }),
              drawer ? t.hasDrawer : '',
              waiting > 0 ? format(t.waitingJobs, { count: waiting }) : '',
            ]
              .filter(Boolean)
              .join(' · ')}
          </bdi>
        </Text>
        {problem && !saidByState.includes(problem.code) && (
          <VerdictNote verdict="odd" message={messages.fault(problem)} />
        )}
        <PrinterActions {...{ name, drawer }} />
      </Stack>
    </Card>
  );
};

const PrinterActions = ({ name, drawer }: { name: string; drawer: boolean }) => {
  const { t, shared } = useWords('technician');
  const [removes, setRemoves] = useState(false);
  const test = useJob<unknown>('printers');
  const open = useJob<unknown>('printers');
  const error = test.error ?? open.error;
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      {test.result !== undefined && <VerdictNote verdict="good" message={fill(t.printed, { name })} />}
      {open.result !== undefined && <VerdictNote verdict="good" message={t.drawerOpened} />}
      <Group gap="sm">
        <Button
          leftSection={<IconPrinter />}
          loading={test.busy}
          onClick={() =>
            void test.run((headers) => got(api.printers[':name'].test.$post({ param: { name } }, { headers })))
          }
        >
          {t.testPage}
        </Button>
        {drawer && (
          <Button
            variant="default"
            loading={open.busy}
            onClick={() => void open.run((headers) => got(api.drawer.$post({}, { headers })))}
          >
            {t.openDrawer}
          </Button>
        )}
        <Button variant="subtle" color="red" leftSection={<IconTrash />} onClick={() => setRemoves(true)}>
          {shared.remove}
        </Button>
      </Group>
      {removes && <Remove name={name} onClose={() => setRemoves(false)} />}
    </>
  );
};

const Remove = ({ name, onClose }: { name: string; onClose: () => void }) => {
  const { t, shared } = useWords('technician');
  const job = useJob<unknown>('printers');
  const title = fill(t.removeTitle, { name });
  const remove = (): Promise<boolean> =>
    job.run((headers) => got(api.printers[':name'].$delete({ param: { name } }, { headers })));
  return <ConfirmDialog {...{ title, job, onClose }} message={t.removeWhy} label={shared.remove} onConfirm={remove} />;
};
