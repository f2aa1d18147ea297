/** The database is the second assertion: what no operation would do, no statement can do either. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from '../../../src/engine/database/database.ts'
import { describeService, openDeposit } from '../../support/service.ts'

const CHECK_VIOLATION = '23514'

const refused: Record<string, string> = {
  'an entry that does not sum to zero': `update ledger_entries set amounts_minor[1] = amounts_minor[1] - 1`,
  'an entry of one line': `update ledger_entries set accounts = array[accounts[1]], amounts_minor = '{0}'`,
  'an entry of nine lines': `
    update ledger_entries set accounts = '{a,b,c,d,e,f,g,h,i}', amounts_minor = '{1,1,1,1,1,1,1,1,-8}'`,
  'an entry of eight lines that does not sum to zero': `
    update ledger_entries set accounts = '{a,b,c,d,e,f,g,h}', amounts_minor = '{1,1,1,1,1,1,1,-8}'`,
  'an entry with more accounts than amounts': `update ledger_entries set accounts = accounts || '{cash}'`,
  'a line of nothing': `update ledger_entries set accounts = '{a,b,c}', amounts_minor = '{1,-1,0}'`,
  'a balance below zero': `update accounts set balance_minor = -1`,
  'a balance with more digits than an amount may have': `update accounts set balance_minor = 1000000000000000`,
  'more principal than was deposited': `update deposits set remaining_minor = principal_minor + 1`,
  'an active deposit with nothing in it': `update deposits set remaining_minor = 0`,
  'an ended deposit with something in it': `update deposits set status = 'MATURED'`,
  'a liquidated deposit without a time of liquidation': `update deposits set status = 'LIQUIDATED', remaining_minor = 0`,
  'a rollover into nothing': `update deposits set status = 'ROLLED_OVER', remaining_minor = 0`,
  'a maturity date that the tenor does not give': `update deposits set maturity_date = maturity_date + 1`,
  'a charge that takes principal': `
    update liquidations set penal_minor = interest_minor + 1, total_minor = principal_minor - 1`,
  'a total that is a cent too large': `update liquidations set total_minor = total_minor + 1`,
  'a PARTIAL that leaves nothing': `update liquidations set remaining_minor = 0`,
  'sums of a day without its date': `update deposits set broken_on = null`,
  'more broken on a day than was deposited': `update deposits set broken_principal_minor = principal_minor + 1`,
  'a charge of a day above its interest': `update deposits set broken_assessed_minor = broken_interest_minor + 1`,
  'earlier parts of a liquidation that was assessed alone': `
    update liquidations set assessed_by = 'PART', earlier_principal_minor = 1, earlier_interest_minor = 0,
      earlier_assessed_minor = 0`,
  'earlier parts without their interest': `update liquidations set earlier_principal_minor = 1`,
  'a liquidation assessed in an unknown way': `update liquidations set assessed_by = 'WEEK'`,
  'more assessed than was earned': `update liquidations set assessed_minor = interest_minor + 1`,
  'more waived than was assessed': `update liquidations set waived_minor = assessed_minor + 1, waiver = '{}'`,
  'a charge and a waiver that are not what was assessed': `update liquidations set waived_minor = 1, waiver = '{}'`,
  'a waiver below zero': `update liquidations set waived_minor = -1, assessed_minor = assessed_minor - 1`,
  'something waived without a waiver': `
    update liquidations set waived_minor = 1, assessed_minor = penal_minor + 1, interest_minor = interest_minor + 1,
      total_minor = total_minor + 1, net_minor = net_minor + 1`,
  'a net amount that is not the total': `update liquidations set net_minor = net_minor + 1`,
  'a reference that is too long': `update liquidations set reference = repeat('r', 65)`,
  'a reason in words': `update liquidations set reason = 'customer asked'`,
  'a clock that was moved in live mode': `update books set clock_offset_ms = 1 where mode = 'live'`,
}

describeService('constraints', (running) => {
  for (const [what, statement] of Object.entries(refused)) {
    test(`refuse ${what}`, async () => {
      const { ask, db } = running()
      const { depositId } = await openDeposit(ask, { amount: 1_000 })
      const taken = { liquidation_type: 'PARTIAL', amount: 100 }
      assert.equal((await ask('POST', `/v2/fixed-deposits/${depositId}/liquidate`, taken)).status, 200)
      await assert.rejects(
        db.query(statement),
        (error) => error instanceof DatabaseError && error.sqlState === CHECK_VIOLATION,
      )
    })
  }
})
