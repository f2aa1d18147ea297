/**
 * Scripts that complete the commands and options of this program in a shell, generated from the commands themselves.
 */
import { Argument, type Command } from 'commander'
import { print } from './output.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<SHELL>', 'The shell.').choices(SHELLS))
    .addHelpText(
      'after',
      `
Add to ~/.bashrc:                  eval "$(breakwater completion bash)"
Add to ~/.zshrc:                   eval "$(breakwater completion zsh)"
Add to ~/.config/fish/config.fish: breakwater completion fish | source`,
    )
    .action((shell: Shell) => print(scripts[shell](placesOf(program))))
}

/** A command or group, and what can follow it. */
type Place = {
  /** '/keys/create'; the program itself is ''. */
  path: string
  words: Word[]
  options: (Word & { takesValue: boolean; values: readonly string[] })[]
}
type Word = { name: string; help: string }

function placesOf(command: Command, path = ''): Place[] {
  const helper = command.createHelp()
  const place: Place = {
    path,
    words: helper
      .visibleCommands(command)
      .map((one) => ({ name: one.name(), help: one.description() }))
      .concat(
        command.registeredArguments.flatMap((argument) =>
          (argument.argChoices ?? []).map((name) => ({ name, help: argument.description })),
        ),
      ),
    options: helper.visibleOptions(command).map((option) => ({
      name: option.long!,
      help: option.description,
      takesValue: option.required,
      values: option.argChoices ?? [],
    })),
  }
  return [place, ...command.commands.flatMap((one) => placesOf(one, `${path}/${one.name()}`))]
}

const scripts: Record<Shell, (places: readonly Place[]) => string> = {
  bash: (places) => `_breakwater() {
  local at='' word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${pathsOf(places).join('|')}) at="$at/$word" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${casesOf(places)}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _breakwater breakwater`,

  zsh: (places) => `_breakwater() {
  local at='' word next
  for word in \${words[2,CURRENT-1]}; do
    case "$at/$word" in
      ${pathsOf(places).join('|')}) at="$at/$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${casesOf(places)}
  esac
  compadd -- \${=next}
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _breakwater breakwater`,

  fish: (places) => `function __breakwater_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch $at/$word
      case ${pathsOf(places).join(' ')}
        set at $at/$word
    end
  end
  test "$at" = "$argv[1]"
end
complete -c breakwater -f
${places.flatMap(fishLines).join('\n')}`,
}

function pathsOf(places: readonly Place[]): string[] {
  return places.map(({ path }) => path).filter((path) => path !== '')
}

/** Words by the command and the word before: values of an option that takes one, otherwise what can follow. */
function casesOf(places: readonly Place[]): string {
  const values = places.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, values }) => `    '${path} ${name}') next='${values.join(' ')}' ;;`),
  )
  const others = places.map(({ path, words, options }) => {
    const names = [...words, ...options].map(({ name }) => name)
    return `    '${path} '*) next='${names.join(' ')}' ;;`
  })
  return [...values, ...others].join('\n')
}

function fishLines({ path, words, options }: Place): string[] {
  const here = `complete -c breakwater -n '__breakwater_at "${path}"'`
  return [
    ...words.map(({ name, help }) => `${here} -a ${name} -d ${quoted(help)}`),
    ...options.map(({ name, help, takesValue, values }) => {
      const value = `${takesValue ? ' -x' : ''}${values.length > 0 ? ` -a '${values.join(' ')}'` : ''}`
      return `${here} -l ${name.slice(2)}${value} -d ${quoted(help)}`
    }),
  ]
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
