; Included by electron-builder's script for Windows, which asks for these macros by their names.
!include "getProcessInfo.nsh"
Var pid

; A till that runs is asked to end in peace: a sale under way is brought to its end first, which takes two minutes at
; most. An update has ended its own till before it starts the installer. What still runs then is ended by force, and
; starts again with its journal.
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

; An update comes when nobody may be there, and nobody would start a till that its installer left ended. The version
; before counts such a start as a failed try, and tries again.
!macro startVersionBefore
  Exec '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --updated'
  SetErrorLevel 2
  Quit
!macroend

; The app that an update replaces ends itself. electron-builder's script would end where it cannot end what still runs.
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

; Asked after the uninstaller of the version before has run: the error flag says that it could not be started, $R0 with
; which code it ended. electron-builder's script would show a box then, also at night with nobody there, and install
; nothing. This version is written over the one before instead. One that is half written would not start: where somebody
; holds one of the two files of which none may be old, the version before goes on, whose uninstaller has put all back.
!macro customUnInstallCheck
  ${if} ${errors}
  ${orIf} $R0 != 0
    DetailPrint "The uninstaller of the version before failed ($R0). This version is written over it."
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
