"""Endpoints for vacations, during which clocks stand still."""

from signoria.server.api.calls import ApiCall
from signoria.server.api.operations import ROOT, account_operation
from signoria.server.api.requests import StartVacation
from signoria.server.api.responses.notifications import VacationInfo
from signoria.server.people import vacations


async def vacation(call: ApiCall) -> VacationInfo:
    """The caller's vacation."""
    state = await vacations.vacation_state(call.service, call.signed_in_user)
    return VacationInfo(until=state.until, days_left=state.days_left)


async def start_vacation(call: ApiCall) -> VacationInfo:
    """Begin a vacation."""
    wanted = await call.body(StartVacation)
    await vacations.start_vacation(call.service, call.signed_in_user, wanted.days)
    return await vacation(call)


async def end_vacation(call: ApiCall) -> VacationInfo:
    """End a vacation early."""
    await vacations.end_vacation(call.service, call.signed_in_user)
    return await vacation(call)


OPERATIONS = (
    account_operation(
        method="GET",
        path=f"{ROOT}/vacation",
        handler=vacation,
        summary="Your vacation",
        more="During a vacation your clocks stand still in games with at least a day per move.",
        answers=(VacationInfo,),
    ),
    account_operation(
        method="POST",
        path=f"{ROOT}/vacation",
        handler=start_vacation,
        summary="Begin a vacation",
        body=(StartVacation,),
        answers=(VacationInfo,),
        example={"days": 7},
        refuses={409: "You are already on vacation."},
    ),
    account_operation(
        method="DELETE",
        path=f"{ROOT}/vacation",
        handler=end_vacation,
        summary="End your vacation early",
        answers=(VacationInfo,),
        refuses={409: "You are not on vacation."},
    ),
)
