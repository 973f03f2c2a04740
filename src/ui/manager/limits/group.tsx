/** The limits of one kind, each with a slider and a field; limits that are not set are collapsed. */
import { Button, Checkbox, Group, Slider, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LimitSetting } from '../../../api/contract/limits.ts';
import { decimalMark, withMark } from '../../../base/money.ts';
import { fill } from '../../../base/placeholders.ts';
import { limitName, limitParts, textFor } from '../../../locales/names.ts';
import { useWords } from '../../locale/use-words.ts';
import { useSession } from '../../session.ts';
import { Panel } from '../parts.tsx';
import { exampleOf, isBasic, NONE, parseLimit, scaleOf, valueAt } from './scale.ts';

type TypedLimits = { typed: Readonly<Record<string, string>>; type(key: string, text: string): void };

export const LimitGroup = ({
  group,
  settings,
  ...typing
}: TypedLimits & { group: string; settings: readonly LimitSetting[] }) => {
  const { t, number } = useWords('manager');
  const [isOpen, open] = useState(false);
  const of = settings.filter(({ key }) => limitParts(key).group === group);
  const shown = of.filter((setting) => isOpen || isBasic(setting) || typing.typed[setting.key] !== undefined);
  if (of.length === 0) return null;
  return (
    <Panel title={textFor(t.limits.groups, group) ?? group}>
      <Stack gap="lg">
        {shown.map((setting) => (
          <Limit key={setting.key} setting={setting} {...typing} />
        ))}
        {shown.length < of.length && (
          <Button size="md" variant="subtle" onClick={() => open(true)}>
            {fill(t.more, { count: number(of.length - shown.length) })}
          </Button>
        )}
      </Stack>
    </Panel>
  );
};

const useLabel = (key: string): string => {
  const { t } = useWords('manager');
  return limitName(key, t);
};

const Limit = (props: TypedLimits & { setting: LimitSetting }) => {
  const label = useLabel(props.setting.key);
  if (props.setting.kind === 'switch') return <SwitchLimit {...props} label={label} />;
  if (props.setting.kind === 'list') return <ListLimit {...props} label={label} />;
  return <Measured {...props} label={label} />;
};

type LimitProps = TypedLimits & { setting: LimitSetting; label: string };

const SwitchLimit = ({ setting: { key, value }, typed, type, label }: LimitProps) => (
  <Switch
    label={label}
    checked={(typed[key] ?? value) === 'yes'}
    onChange={({ currentTarget }) => type(key, currentTarget.checked ? 'yes' : 'no')}
  />
);

const operations = ['sale', 'preauthorisation', 'increment', 'completion', 'void', 'release'];

/** The allowed operations, each by its name. */
const ListLimit = ({ setting: { key, value }, typed, type, label }: LimitProps) => {
  const { t } = useWords('manager');
  const chosen = (typed[key] ?? value).split(',').filter(Boolean);
  return (
    <Checkbox.Group
      size="md"
      label={label}
      value={chosen}
      onChange={(next) => type(key, operations.filter((one) => next.includes(one)).join(','))}
    >
      <Group gap="md" mt={6}>
        {operations.map((one) => (
          <Checkbox key={one} size="md" value={one} label={textFor(t.operations, one) ?? one} />
        ))}
      </Group>
    </Checkbox.Group>
  );
};

/** A slider, a field for exact values, and a switch for no limit at all. */
const Measured = ({ setting, typed, type, label }: LimitProps) => {
  const { t, language } = useWords('manager');
  const { key, kind, value } = setting;
  const text = typed[key] ?? value;
  const mark = decimalMark(language);
  const currency = useSession().data?.shop.currency;
  const isNone = text === NONE;
  const isWrong = parseLimit(setting, text) === undefined;
  const scale = scaleOf(setting);
  const isChanged = typed[key] !== undefined && parseLimit(setting, text) !== value;
  const mayBeNone = limitParts(key).words[0] !== 'upTo' && key !== 'keepFreeMegabytes';
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" align="flex-end" gap="sm">
        <TextInput
          style={{ flex: 1 }}
          size="md"
          label={label}
          inputMode="decimal"
          rightSection={kind === 'amount' ? currency : kind === 'hours' ? t.limits.hours : undefined}
          rightSectionWidth={kind === 'amount' ? 52 : kind === 'hours' ? 32 : 0}
          rightSectionPointerEvents="none"
          maxLength={14}
          value={isNone ? '' : withMark(text, mark)}
          placeholder={isNone ? t.limits.noLimit : undefined}
          disabled={isNone}
          onChange={({ currentTarget }) => type(key, currentTarget.value)}
          error={isWrong ? fill(t.limits.bad, { example: withMark(exampleOf(setting), mark) }) : undefined}
          styles={{ input: { textAlign: 'end', fontWeight: 600 } }}
        />
        {mayBeNone && (
          <Switch
            aria-label={`${label}: ${t.limits.limited}`}
            checked={!isNone}
            onChange={({ currentTarget }) => type(key, currentTarget.checked ? valueAt(kind, scale.max / 2) : NONE)}
          />
        )}
      </Group>
      <Slider
        size="lg"
        thumbSize={28}
        thumbLabel={label}
        label={null}
        min={0}
        max={scale.max}
        step={scale.step}
        disabled={isNone}
        value={isNone || isWrong ? 0 : Math.min(scale.max, Number(parseLimit(setting, text)))}
        onChange={(place) => type(key, valueAt(kind, place))}
      />
      <UsedOf setting={setting} isChanged={isChanged} />
    </Stack>
  );
};

const UsedOf = ({ setting: { used, left, value }, isChanged }: { setting: LimitSetting; isChanged: boolean }) => {
  const { t, language } = useWords('manager');
  const show = (text: string): string => withMark(text, decimalMark(language));
  const words = [
    isChanged ? fill(t.limits.before, { value: value === NONE ? t.limits.noLimit : show(value) }) : undefined,
    used !== undefined && left !== undefined ? fill(t.limits.used, { used: show(used), left: show(left) }) : undefined,
  ].filter(Boolean);
  return (
    <Text size="sm" c="dimmed" mih="1.3em">
      {words.join(' · ')}
    </Text>
  );
};
