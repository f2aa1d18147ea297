/** A request for each operation that may wait, but that of breaking a deposit, with what its page says. */
import assert from 'node:assert/strict'
import type { ApprovableOperation } from '../../src/domain/approvals.ts'
import { openDeposit, tenPercent } from '../support/service.ts'
import type { Office } from './office.ts'

type Row = [operation: ApprovableOperation, expected: string[]]

export async function askForEach({ ask }: Office): Promise<Row[]> {
  const { depositId, customerId, accountNumber } = await openDeposit(ask, {
    amount: '50000.00',
    interest_rate: 12,
    start_date: '2026-03-23',
  })
  await ask('POST', `/v2/accounts/${accountNumber}/credits`, { amount: 1000 })
  const path = `/v2/fixed-deposits/${depositId}`
  const lien = await ask('POST', `${path}/liens`, { amount: 5000, reason: 'Loan 77', reference: 'L-77' })
  const part = { liquidation_type: 'PARTIAL', amount: 1000 }
  const { liquidation_id, net_credited } = (await ask('POST', `${path}/liquidate`, part)).json.data
  const rules = (await ask('GET', '/v2/liquidation-rules')).json.data
  const { version, created_at, penal_rules, ...others } = rules
  const customer = (await ask('GET', `/v2/customer/${customerId}`)).json.data
  const name = `${customer.first_name} ${customer.last_name}`
  const condition = { operation: 'placeLien', when: { amount: { gte: 100 } }, approvals: 2 }
  const paid = `₦${net_credited.toLocaleString('en', { minimumFractionDigits: 2 })}`

  const rows: [...Row, targetId: string | null, body: object][] = [
    [
      'openFixedDeposit',
      [`Open a deposit of ₦100.00 for ${name}`, accountNumber, '11.5 %', 'Rolls over', 'Approve ₦100.00'],
      null,
      { account_number: accountNumber, amount: 100, tenor: 365, interest_rate: 11.5, auto_rollover: true },
    ],
    [
      'placeLien',
      [`Hold ₦250.00 of ${name}’s deposit`, 'Free now', '₦44,000.00', 'Court', 'Approve ₦250.00'],
      depositId,
      { amount: 250, reason: 'Court' },
    ],
    [
      'releaseLien',
      [`Release ₦5,000.00 held of ${name}’s deposit`, 'Loan 77', 'L-77', 'Repaid', 'Approve ₦5,000.00'],
      lien.json.data.lien_id,
      { reason: 'Repaid' },
    ],
    [
      'reverseLiquidation',
      [`Take back ${paid} paid to ${name}`, '₦1,000.00', '₦50,000.00', 'Wrong deposit', `Approve ${paid}`],
      liquidation_id,
      { reason: 'Wrong deposit' },
    ],
    [
      'creditAccount',
      [`Credit ₦7.50 to ${name}`, accountNumber, 'Refund of a fee', 'Approve ₦7.50'],
      accountNumber,
      { amount: 7.5, narration: 'Refund of a fee' },
    ],
    [
      'putTaxStatus',
      [`Put ${name} in the tax class EXEMPT`, '31 Dec 2027', `/console/customers/${customerId}`],
      customerId,
      { tax_class: 'EXEMPT', valid_until: '2027-12-31' },
    ],
    ['replaceTaxRules', ['interest less the charge', 'STANDARD', '10 %'], null, tenPercent],
    [
      'replaceApprovalPolicy',
      ['Place a lien: Amount ₦100.00 or more. 2 approvals.', 'after 24 hours', 'Only people decide.'],
      null,
      { expires_after_hours: 24, deciders: 'PERSON', rules: [condition] },
    ],
    ['replaceRules', ['Change the penal rules'], null, { ...others, penal_rules: [] }],
  ]
  for (const [operation, , targetId, body] of rows) {
    // Text, because the answer repeats the body as it was sent.
    const sent = JSON.stringify(body).replaceAll(
      /("(?:amount|gte|min_\w+_(?:amount|principal))":)([\d.]+)/g,
      (_, member, value) => member + Number(value).toFixed(2),
    )
    const target = targetId === null ? '' : `"target_id": "${targetId}", `
    const asked = await ask(
      'POST',
      '/v2/approvals',
      `{"operation": "${operation}", ${target}"body": ${sent}}`,
    )
    assert.equal(asked.status, 201, asked.text)
  }
  return rows.map(([operation, expected]) => [operation, expected])
}
