"""The addresses about a tenant's people; the middleware takes the tenant out of them."""

from django.urls import path

from apps.accounts.views import people

app_name = "people"
urlpatterns = [
    path("", people.people, name="list"),
    path("invite/", people.invite, name="invite"),
    path("proposals/<slug:proposal_id>/", people.proposal, name="proposal"),
    path("<slug:person_id>/", people.person, name="person"),
    path("<slug:person_id>/roles/", people.change_roles, name="roles"),
    path("<slug:person_id>/link/", people.make_link, name="link"),
    path("<slug:person_id>/confirm/", people.confirm, name="confirm"),
    path("<slug:person_id>/same/", people.same_person, name="same"),
]
