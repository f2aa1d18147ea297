/** Runs the programs of the documents against a running service, with the clients that they import. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { webhookHeaders } from '../../src/features/webhooks/signature.ts'
import { endOf, openDirectory, runProgram } from '../install/installed.ts'
import { copyCheckout } from '../support/checkout.ts'
import { commandsOf } from '../support/documents.ts'
import { engines, type TestDatabase } from '../support/engines.ts'
import { findProgram } from '../support/programs.ts'
import { openDeposit, startService, type TestService } from '../support/service.ts'
import { clientEnv, PROGRAMS, placeClients } from './placed.ts'

const folder = await openDirectory({ after })
let db: TestDatabase
let bank: TestService
let origin: string
before(async () => {
  db = await engines[0]!.open()
  bank = await startService(db)
  await bank.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(bank.app.server.address() as AddressInfo).port}`
  await placeClients(folder)
})
after(async () => {
  await bank?.close()
  await db?.close()
})

const BLOCKS: Record<string, string[]> = {
  TypeScript: [
    ...commandsOf('README.md', 'ts'),
    ...commandsOf('docs/api.md', 'ts'),
    ...commandsOf('clients/typescript/README.md', 'ts'),
  ],
  Python: [...commandsOf('docs/api.md', 'python'), ...commandsOf('clients/python/README.md', 'python')],
  Go: [...commandsOf('docs/api.md', 'go'), ...commandsOf('clients/go/README.md', 'go')],
}

/** What stands around a line that checks a webhook, in a program that receives one. */
const RECEIVERS: Record<string, (line: string) => string> = {
  TypeScript: (line) => `
import { verifyWebhook } from '@breakwater/client'
const headers = JSON.parse(process.env.HEADERS!)
const request = new Request('http://127.0.0.1', { method: 'POST', body: process.env.BODY!, headers })
const [secret, previousSecret] = [process.env.SECRET!, process.env.PREVIOUS_SECRET!]
${line}
console.log(event.type)`,
  Python: (line) => `
import json, os
from types import SimpleNamespace
from breakwater import verify_webhook
request = SimpleNamespace(body=os.environ["BODY"].encode(), headers=json.loads(os.environ["HEADERS"]))
secret, previous_secret = os.environ["SECRET"], os.environ["PREVIOUS_SECRET"]
${line}
print(event["type"])`,
  Go: (line) => `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	breakwater "github.com/breakwater/breakwater/clients/go"
)

func main() {
	request, body, given := &http.Request{Header: http.Header{}}, []byte(os.Getenv("BODY")), map[string]string{}
	if err := json.Unmarshal([]byte(os.Getenv("HEADERS")), &given); err != nil {
		log.Fatal(err)
	}
	for name, value := range given {
		request.Header.Set(name, value)
	}
	secret, previousSecret := os.Getenv("SECRET"), os.Getenv("PREVIOUS_SECRET")
	${line}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.Type)
}`,
}

for (const { name, file, program, given } of PROGRAMS.filter((one) => BLOCKS[one.name] !== undefined)) {
  const skip = program === undefined && `there is no ${name} on this machine`
  test(`the ${name} programs of the documents run as they are`, { skip }, async () => {
    assert(BLOCKS[name]!.length >= 3)
    for (const block of BLOCKS[name]!) {
      const { depositId } = await openDeposit(bank.ask, { amount: 500_000 })
      const isWhole = /^(?:import|from|package) /m.test(block)
      const code = isWhole ? block : RECEIVERS[name]!(block.trim())
      const path = join(folder, file)
      await writeFile(path, code.replace(/https?:\/\/(?:127\.0\.0\.1:8080|bank\.example\.com)/, origin))
      const env = { ...clientEnv(bank.testKey), DEPOSIT_ID: depositId, ...messageEnv() }
      const ended = await endOf(program!, [...given, path], { cwd: folder, env })
      assert.equal(ended.code, 0, `${block}\n${ended.stderr}`)
      if (!isWhole) assert.equal(ended.stdout, 'fixed_deposit.liquidated\n')
      else assert.match(ended.stdout, /^\d+\.\d\d$/m)
    }
  })
}

/** A message that the service signed with the secret before the present one. */
function messageEnv(): Record<string, string> {
  const secretOf = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`
  const eventId = 'evt_000000000000000000000000'
  const body = JSON.stringify({ id: eventId, type: 'fixed_deposit.liquidated', data: {} })
  const headers = webhookHeaders({ eventId, body, sentAt: new Date() }, [secretOf(1)])
  return {
    BODY: body,
    HEADERS: JSON.stringify(headers),
    SECRET: secretOf(2),
    PREVIOUS_SECRET: secretOf(1),
  }
}

/** For each language the commands that install its client, and a program that has it. */
const INSTALLS = [
  {
    commands: commandsOf('clients/typescript/README.md', 'sh'),
    prepare: `echo '{"private": true, "type": "module"}' > package.json`,
    check: `node --input-type=module --eval "import { VERSION } from '@breakwater/client'; console.log(VERSION)"`,
    needs: 'npm',
  },
  {
    commands: commandsOf('clients/python/README.md', 'sh'),
    prepare: 'python3 -m venv venv && . venv/bin/activate',
    check: 'python3 -c "from breakwater._tables import VERSION; print(VERSION)"',
    needs: 'python3',
  },
  {
    commands: commandsOf('clients/go/README.md', 'sh'),
    prepare: 'go mod init caller 2> /dev/null',
    check: `go list -f '{{.Name}}' github.com/breakwater/breakwater/clients/go`,
    needs: 'go',
  },
]

for (const { commands, prepare, check, needs } of INSTALLS) {
  const skip = findProgram(needs) === undefined && `there is no ${needs} on this machine`
  test(`the client is installed by the commands of its page: ${needs}`, { skip }, async (t) => {
    const cwd = await openDirectory(t)
    const env = { ...process.env, CHECKOUT: await copyCheckout(t), GOFLAGS: '-buildvcs=false' }
    assert.equal(commands.length, 1)
    const script = `${prepare}\n${commands[0]}\n${check}`
    assert.match(await runProgram('bash', ['-ec', script], { cwd, env }), /^(?:\d+\.\d+\.\d+|breakwater)$/m)
  })
}
