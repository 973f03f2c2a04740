; Included by electron-builder's script for Windows, which asks for these macros by their names.
!include "getProcessInfo.nsh"
Var pid

; Asks a running till to stop. The till finishes a sale in progress first, which takes two minutes at most. An update
; has already stopped its own till before it starts the installer. A process that still runs after that is killed; it
; recovers from its journal at the next start.
!macro customCheckAppRunning
  !insertmacro IS_POWERSHELL_AVAILABLE
  ${ifNot} ${isUpdated}
  ${andIf} ${FileExists} "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
    nsExec::Exec '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --end'
    Pop $R0
    StrCpy $R1 0
    ${do}
      !insertmacro FIND_PROCESS "${APP_EXECUTABLE_FILENAME}" $R0
      ${if} $R0 != 0
      ${orIf} $R1 >= 150
        ${exitDo}
      ${endIf}
      Sleep 1000
      IntOp $R1 $R1 + 1
    ${loop}
  ${endIf}
  !ifndef BUILD_UNINSTALLER
    ${if} ${isUpdated}
      !insertmacro endUpdatedApp
    ${endIf}
  !endif
  !insertmacro _CHECK_APP_RUNNING
!macroend

; An update may come when nobody is there to restart a till that its installer stopped. The previous version counts
; such a start as a failed attempt, and tries again.
!macro startVersionBefore
  Exec '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --updated'
  SetErrorLevel 2
  Quit
!macroend

; The app that an update replaces ends by itself. electron-builder's script would give up if it cannot end a process
; that still runs.
!macro endUpdatedApp
  StrCpy $R1 0
  ${do}
    Sleep 1000
    !insertmacro FIND_PROCESS "${APP_EXECUTABLE_FILENAME}" $R0
    ${if} $R0 != 0
      ${exitDo}
    ${endIf}
    ${if} $R1 >= 5
      !insertmacro KILL_PROCESS "${APP_EXECUTABLE_FILENAME}" 1
    ${endIf}
    ${if} $R1 >= 30
      !insertmacro startVersionBefore
    ${endIf}
    IntOp $R1 $R1 + 1
  ${loop}
!macroend

; Called after the previous version's uninstaller has run. The error flag means that it could not be started; $R0 is its
; exit code. electron-builder's script would now show a dialog, even at night with nobody there, and install nothing.
; Instead, this version is written over the previous one. A partly written version would not start, so if another
; program holds one of the two files that must be replaced, the previous version continues: its uninstaller restored all
; files.
!macro customUnInstallCheck
  ${if} ${errors}
  ${orIf} $R0 != 0
    DetailPrint "The uninstaller of the previous version failed ($R0). This version is installed over it."
    !insertmacro mustBeFree "$INSTDIR\resources\app.asar"
    !insertmacro mustBeFree "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
  ${endIf}
  ClearErrors
!macroend

!macro mustBeFree FILE
  ${if} ${FileExists} "${FILE}"
    ClearErrors
    FileOpen $R1 "${FILE}" a
    ${if} ${errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(appCannotBeClosed)" /SD IDOK
      !insertmacro startVersionBefore
    ${endIf}
    FileClose $R1
  ${endIf}
!macroend
