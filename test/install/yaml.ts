/** YAML by Debian's parser, because the project needs none otherwise. */
import { spawnSync } from 'node:child_process'
import { runProgram } from './installed.ts'

const PYTHON = '/usr/bin/python3'

export const withoutYaml =
  spawnSync(PYTHON, ['-c', 'import yaml']).status === 0 ? false : 'not installed: python3-yaml'

const AS_JSON = 'import json, sys, yaml; json.dump(list(yaml.safe_load_all(open(sys.argv[1]))), sys.stdout)'

/** The documents of a file. */
export async function readYaml<Document>(path: string): Promise<Document[]> {
  return JSON.parse(await runProgram(PYTHON, ['-c', AS_JSON, path]))
}
