import { successBody } from '../../wire/envelope.ts'
import { found, orRefused } from '../../wire/failure.ts'
import { RulesRecord } from '../../wire/replies.ts'
import { type Reply, type Route, route } from '../../wire/route.ts'
import { replaceRules, rulesVersionData } from './changes.ts'
import { parseRuleSet, RuleSetBody, ruleSetFrom } from './record.ts'
import { findNewestRuleSet, findRuleSets, type KeptRuleSet } from './store.ts'

export const ruleRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/liquidation-rules',
    operationId: 'getRules',
    summary: 'Get the rule set in force',
    tag: 'Liquidation rules',
    scope: 'rules:read',
    body: null,
    query: null,
    success: { status: 200, data: RulesRecord },
    refusals: [],
    answer: async ({ service, book }) => reply(await findNewestRuleSet(service.db, book.bookId)),
  }),
  route({
    method: 'PUT',
    path: '/v2/liquidation-rules',
    operationId: 'replaceRules',
    summary: 'Write the next version of the rule set; deposits opened earlier keep theirs',
    tag: 'Liquidation rules',
    scope: 'rules:write',
    body: RuleSetBody,
    query: null,
    success: { status: 200, data: RulesRecord },
    refusals: [],
    answer: async ({ service, origin, body }) =>
      orRefused(await replaceRules(service.perform, origin, ruleSetFrom(body))),
  }),
  route({
    method: 'GET',
    path: '/v2/liquidation-rules/:version',
    operationId: 'getRulesVersion',
    summary: 'Get one version of the rule set',
    tag: 'Liquidation rules',
    scope: 'rules:read',
    body: null,
    query: null,
    success: { status: 200, data: RulesRecord },
    refusals: ['rules_version_not_found'],
    answer: async ({ service, book, params }) => {
      const version = /^[1-9]\d{0,8}$/.test(params.version!) ? [Number(params.version)] : []
      const [kept] = await findRuleSets(service.db, book.bookId, version)
      return reply(kept)
    },
  }),
]

function reply(kept: KeptRuleSet | undefined): Reply {
  const { version, rules, created_at } = found(kept, 'rules_version_not_found')
  const data = rulesVersionData({ version, rules: parseRuleSet(rules), createdAt: created_at })
  return { status: 200, body: successBody('The liquidation rules.', data), replayed: false }
}
