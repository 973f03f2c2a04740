/**
 * The additions to electron-builder’s installer script for Windows: electron-builder calls these macros, and they
 * compile.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const ownScript = join(root, 'build/installers/installer.nsh');
const templates = join(root, 'node_modules/app-builder-lib/templates/nsis');

const textsBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(nsh|nsi)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

test('electron-builder calls each of the macros by its name', () => {
  const text = readFileSync(ownScript, 'utf8');
  const names = [...text.matchAll(/^!macro (custom\w+)/gm)].map(([, name = '']) => name);
  expect(names).toEqual(['customCheckAppRunning', 'customUnInstallCheck']);
  const request = textsBelow(templates);
  for (const name of names) expect(request).toMatch(new RegExp(`!ifmacrodef ${name}\\n\\s+!insertmacro ${name}\\n`));
});

/** What electron-builder defines beforehand, as far as the macros need it. */
const script = `Unicode true
Name "try"
OutFile "try.exe"
SilentInstall silent
!addincludedir "${join(templates, 'include')}"
!include LogicLib.nsh
!include FileFunc.nsh
!define APP_EXECUTABLE_FILENAME "Tillgate.exe"
!define PRODUCT_NAME "Tillgate"
!define UNINSTALL_REGISTRY_KEY "Software\\Uninstall"
!define INSTALL_REGISTRY_KEY "Software\\Install"
!macro _flag _a _b _t _f
  !insertmacro _LOGICLIB_TEMP
  \${GetParameters} $_LOGICLIB_TEMP
  \${GetOptions} $_LOGICLIB_TEMP "--\${_b}" $_LOGICLIB_TEMP
  IfErrors \`\${_f}\` \`\${_t}\`
!macroend
!define isUpdated \`"" flag "updated"\`
!define isDeleteAppData \`"" flag "delete-app-data"\`
!define StdUtils.GetParentPath "!insertmacro parentPath"
!macro parentPath a b
!macroend
Var installMode
Var appExe
LangString uninstallFailed 0 "a"
LangString appCannotBeClosed 0 "b"
LangString appRunning 0 "c"
LangString appClosing 0 "d"
!include "${ownScript}"
!include allowOnlyOneInstallerInstance.nsh
!include installUtil.nsh
Section
  StrCpy $installMode CurrentUser
  StrCpy $appExe "$INSTDIR\\Tillgate.exe"
  !insertmacro CHECK_APP_RUNNING
  !insertmacro uninstallOldVersion SHELL_CONTEXT
  !insertmacro handleUninstallResult SHELL_CONTEXT
SectionEnd
`;

test('the macros compile within that script if its compiler is installed', ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'installer-'));
  try {
    writeFileSync(join(folder, 'try.nsi'), script);
    const { error, status, stdout } = spawnSync('makensis', ['-V2', '-WX', 'try.nsi'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (error !== undefined) skip('NSIS is not installed: apt install nsis');
    expect([status, stdout]).toEqual([0, '']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
