import { Breakwater, BreakwaterError } from '@breakwater/client'

const bank = new Breakwater({ url: 'https://bank.example.com', key: 'bw_test_key', retries: 0 })
export const failed = await bank.testClock.get().then(
  ({ now }) => now,
  async (error: unknown) => {
    if (!(error instanceof BreakwaterError)) throw error
    switch (error.code) {
      case 'approval_required':
        return (await error.requestApproval()).approval_id
      case 'test_mode_only':
        return null
      default:
        return error.fields.map(({ field }) => field).join(', ')
    }
  },
)
