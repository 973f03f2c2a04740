/** The menu of the person at the till: other screens, language, light or dark, lock, sign out. */
import { Button, type MantineColorScheme, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { SignedIn } from '../../api/contract/session.ts';
import { fill } from '../../base/placeholders.ts';
import { languageNames, languageOf } from '../../locales/load.ts';
import {
  IconChevronDown,
  IconDeviceDesktop,
  IconLock,
  IconLogout,
  IconMoon,
  IconSchool,
  IconSun,
  IconUser,
} from '../icons/icons.ts';
import { chooseLanguage } from '../locale/language.tsx';
import { useWords } from '../locale/use-words.ts';
import { MACHINE, mayPlace, type Screen, screens, screensOf } from '../screens.ts';
import { useSession, useTrain } from '../session.ts';
import { ProblemNote } from './problem.tsx';

type Props = { signedIn: SignedIn; current: Screen; onLock: () => void; onSignOut: () => void };

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const;

export const PersonMenu = ({ signedIn, current, onLock, onSignOut }: Props) => {
  const { t, shared } = useWords('signIn');
  const name = signedIn.name ?? shared.nobody;
  return (
    <Menu
      withInitialFocusPlaceholder={false}
      width={300}
      position="bottom-end"
      keepMounted={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Button
          size="sm"
          variant="default"
          h={48}
          maw={{ base: 136, sm: 260 }}
          leftSection={<IconUser size={20} />}
          rightSection={<IconChevronDown size={16} />}
          aria-label={fill(shared.menu, { name })}
        >
          <Text span truncate fw={600} dir="auto">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="calc(100dvh - 5rem)" className="tg-menu">
        {signedIn.name !== undefined && (
          <>
            <Menu.Item leftSection={<IconLock size={20} />} onClick={onLock}>
              {t.lock}
            </Menu.Item>
            <Menu.Item leftSection={<IconLogout size={20} />} onClick={onSignOut}>
              {t.signOut}
            </Menu.Item>
          </>
        )}
        {current === 'cashier' && <TrainingItem />}
        <Screens signedIn={signedIn} current={current} />
        <Languages />
        <Schemes />
      </Menu.Dropdown>
    </Menu>
  );
};

const Screens = ({ signedIn, current }: Pick<Props, 'signedIn' | 'current'>) => {
  const { t, shared } = useWords('manager');
  const [, navigate] = useLocation();
  const otherScreens = screensOf(signedIn).filter((screen) => screen !== current);
  // The page about gateway and data folder is rarely needed, so it is not in the navigation.
  const isMachineShown = current === 'manager' && mayPlace(signedIn);
  if (otherScreens.length === 0 && !isMachineShown) return null;
  return (
    <>
      <Menu.Label>{shared.goTo}</Menu.Label>
      {otherScreens.map((screen) => (
        <Menu.Item key={screen} onClick={() => navigate(screens[screen].path)}>
          {shared.screens[screen]}
        </Menu.Item>
      ))}
      {isMachineShown && <Menu.Item onClick={() => navigate(MACHINE)}>{t.machine.title}</Menu.Item>}
    </>
  );
};

const Languages = () => {
  const { shared, language } = useWords('signIn');
  return (
    <>
      <Menu.Label>{shared.language}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(tag) => choose(tag)}>
        {languageNames.map(([tag, name]) => (
          <Menu.RadioItem key={tag} value={tag} lang={tag} closeMenuOnClick>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
};

const choose = (tag: string): void => {
  const language = languageOf(tag);
  if (language !== undefined) chooseLanguage(language);
};

const Schemes = () => {
  const { shared } = useWords('signIn');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{shared.scheme}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
        {schemes.map(([scheme, Icon]) => (
          <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick rightSection={<Icon size={20} />}>
            {shared.schemes[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
};

/** In the person's menu: begin and end training, for this session only. */
const TrainingItem = () => {
  const { shared } = useWords('signIn');
  const { data } = useSession();
  const isTraining = data?.shop.mode === 'training';
  const switchTraining = useMutation({ mutationFn: useTrain() });
  return (
    <>
      <Menu.Item
        leftSection={<IconSchool size={20} />}
        closeMenuOnClick={false}
        disabled={switchTraining.isPending}
        onClick={() => switchTraining.mutate(!isTraining)}
      >
        {isTraining ? shared.trainingEnd : shared.trainingBegin}
      </Menu.Item>
      {switchTraining.error && <ProblemNote error={switchTraining.error} />}
    </>
  );
};
